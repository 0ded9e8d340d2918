//! The bearer token of a request (RFC 6750 section 2.1).

use axum::http::{HeaderMap, header};

/// The token of the Authorization header, if it is one of the scheme `Bearer`.
#[must_use]
pub fn token(headers: &HeaderMap) -> Option<&str> {
    let authorization = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
