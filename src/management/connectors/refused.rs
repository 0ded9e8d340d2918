//! Refusals of connectors as errors of the API.

use axum::http::StatusCode;
use claimsmith_domain::connector::Factory;
use claimsmith_web::error::ApiError;
use serde_json::json;

/// 422: no such factory.
pub(super) fn unknown_factory(id: &str) -> ApiError {
    let message = format!("There is no connector factory {id:?}.");
    ApiError::unprocessable("connector.not_found_with_connector_id", message)
}

/// 400: the factory cannot use the configuration. `fault` is the reason, by key path, without any value.
pub(super) fn invalid_config(factory: &Factory, fault: &str) -> ApiError {
    let message = format!("The configuration does not fit the connector {}.", factory.name);
    let data = json!({ "issues": [fault] });
    ApiError::new(StatusCode::BAD_REQUEST, "connector.invalid_config", message).with_data(data)
}

/// 400 with a code of this family.
pub(super) fn bad(code: &str, message: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, code, message)
}

/// 422: only social connectors can sync profiles.
pub(super) fn no_profiles() -> ApiError {
    let message = "Only social connectors synchronize profiles.";
    ApiError::unprocessable("connector.invalid_type_for_syncing_profile", message)
}

/// 422: the factory cannot store tokens.
pub(super) fn no_tokens() -> ApiError {
    ApiError::unprocessable("connector.token_storage_not_supported", "This connector does not keep tokens.")
}
