//! The two renderings of a refusal: [`ApiError`] for the Management API, [`OAuthError`] for the OIDC endpoints.
//!
//! The client gets the reason of a refusal. An internal failure is logged with its source errors, and the client gets
//! `server_error` without details.

mod api;
mod oauth;

pub use api::{ApiError, ApiErrorBody};
pub(in crate::http) use oauth::AUTHORIZATION_PENDING;
pub(in crate::http) use oauth::Challenge;
pub use oauth::OAuthError;

/// The `realm` of challenges.
pub(in crate::http) const REALM: &str = "claimsmith";

/// Writes a failure and what it comes from to the log.
pub(in crate::http) fn log_failure(error: &dyn std::error::Error) {
    let mut chain = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        source = cause.source();
    }
    tracing::error!(error = %chain, "a request failed");
}
