//! The bearer token of a request (RFC 6750 section 2.1), and how it is refused (section 3).

use crate::error::{Challenge, OAuthError, REALM};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The token of the Authorization header, if it is one of the scheme `Bearer`.
#[must_use]
pub fn token(headers: &HeaderMap) -> Option<&str> {
    let authorization = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// 401 to a request without an access token: a challenge without an error code.
#[must_use]
pub fn required() -> Response {
    let challenge = format!("Bearer realm=\"{REALM}\"");
    let headers = [(header::WWW_AUTHENTICATE, challenge.as_str()), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::UNAUTHORIZED, headers).into_response()
}

/// 401: the token is not valid here.
#[must_use]
pub fn invalid() -> OAuthError {
    challenged(StatusCode::UNAUTHORIZED, "invalid_token", "the access token is not valid")
}

/// 403: the token lacks a scope.
#[must_use]
pub fn lacks(scope: &str) -> OAuthError {
    let description = format!("the access token lacks the scope {scope}");
    challenged(StatusCode::FORBIDDEN, "insufficient_scope", description)
}

fn challenged(status: StatusCode, error: &'static str, description: impl Into<String>) -> OAuthError {
    let mut refused = OAuthError::new(status, error, description);
    refused.challenge = Some(Challenge::Bearer);
    refused
}
