//! Refusals of connectors as errors of the API.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::connector::Factory;
use claimsmith_web::error::ApiError;
use serde_json::json;

/// 422: no such factory.
pub(super) fn unknown_factory(id: &str) -> ApiError {
    let message = format!("There is no connector factory {id:?}.");
    ApiError::new(ApiCode::ConnectorNotFoundWithConnectorId, message)
}

/// 400: the factory cannot use the configuration. `fault` is the reason, by key path, without any value.
pub(super) fn invalid_config(factory: &Factory, fault: &str) -> ApiError {
    let message = format!("The configuration does not fit the connector {}.", factory.name);
    let data = json!({ "issues": [fault] });
    ApiError::new(ApiCode::ConnectorInvalidConfig, message).with_data(data)
}

/// 422: only social connectors can sync profiles.
pub(super) fn no_profiles() -> ApiError {
    let message = "Only social connectors synchronize profiles.";
    ApiError::new(ApiCode::ConnectorInvalidTypeForSyncingProfile, message)
}

/// 422: the factory cannot store tokens.
pub(super) fn no_tokens() -> ApiError {
    ApiError::new(ApiCode::ConnectorTokenStorageNotSupported, "This connector does not keep tokens.")
}
