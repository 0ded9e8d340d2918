//! Refusals of enterprise connectors as errors of the API.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::company_domain::DomainRefusal;
use claimsmith_domain::upstream::enterprise::SAML;
use claimsmith_services::federation::FederationFailure;
use claimsmith_web::error::ApiError;
use serde_json::json;

/// 422: no such provider.
pub(super) fn unknown_provider(name: &str) -> ApiError {
    let message = if SAML.contains(&name) {
        "SAML is not supported: choose a provider that speaks OpenID Connect.".to_owned()
    } else {
        format!("There is no provider {name:?}.")
    };
    ApiError::new(ApiCode::ConnectorNotFoundProvider, message)
}

/// 400: the configuration is invalid for the provider. `fault` is the reason.
pub(super) fn invalid_config(fault: &str) -> ApiError {
    let message = "The configuration does not fit the provider.";
    ApiError::new(ApiCode::ConnectorInvalidConfig, message).with_data(json!({ "issues": [fault] }))
}

/// 400: the provider cannot be reached, or its metadata does not match.
pub(super) fn unreachable(failure: &FederationFailure) -> ApiError {
    let message = format!("The document of the issuer cannot be used: {failure}.");
    ApiError::new(ApiCode::ConnectorInvalidMetadata, message)
}

/// 409: another connector has the name.
pub(super) fn name_taken() -> ApiError {
    let message = "Another enterprise connector has this name.";
    ApiError::new(ApiCode::SingleSignOnDuplicateConnectorName, message)
}

/// 422: domains that no connector can own.
pub(super) fn domains(refused: DomainRefusal) -> ApiError {
    let (code, message, domains) = match refused {
        DomainRefusal::Format(domains) => {
            (ApiCode::SingleSignOnInvalidDomainFormat, "Not all of these are domains.", domains)
        }
        DomainRefusal::Repeated(domains) => {
            (ApiCode::SingleSignOnDuplicatedDomains, "A domain is named twice.", domains)
        }
        DomainRefusal::Public(domains) => {
            (ApiCode::SingleSignOnForbiddenDomains, "These are domains of public email providers.", domains)
        }
    };
    ApiError::new(code, message).with_data(json!({ "data": domains }))
}
