//! Refusals of enterprise connectors as errors of the API.

use axum::http::StatusCode;
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
    ApiError::unprocessable("connector.not_found", message)
}

/// 400: the configuration is invalid for the provider. `fault` is the reason.
pub(super) fn invalid_config(fault: &str) -> ApiError {
    let message = "The configuration does not fit the provider.";
    ApiError::new(StatusCode::BAD_REQUEST, "connector.invalid_config", message).with_data(json!({ "issues": [fault] }))
}

/// 400: the provider cannot be reached, or its metadata does not match.
pub(super) fn unreachable(failure: &FederationFailure) -> ApiError {
    let message = format!("The document of the issuer cannot be used: {failure}.");
    ApiError::new(StatusCode::BAD_REQUEST, "connector.invalid_metadata", message)
}

/// 409: another connector has the name.
pub(super) fn name_taken() -> ApiError {
    let message = "Another enterprise connector has this name.";
    ApiError::new(StatusCode::CONFLICT, "single_sign_on.duplicate_connector_name", message)
}

/// 422: domains that no connector can own.
pub(super) fn domains(refused: DomainRefusal) -> ApiError {
    let (code, message, domains) = match refused {
        DomainRefusal::Format(domains) => ("invalid_domain_format", "Not all of these are domains.", domains),
        DomainRefusal::Repeated(domains) => ("duplicated_domains", "A domain is named twice.", domains),
        DomainRefusal::Public(domains) => {
            ("forbidden_domains", "These are domains of public email providers.", domains)
        }
    };
    ApiError::unprocessable(&format!("single_sign_on.{code}"), message).with_data(json!({ "data": domains }))
}
