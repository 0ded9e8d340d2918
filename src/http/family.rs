//! The two families of routes, and the error format of each for what no handler answers: panics, timeouts, malformed
//! requests.

use super::error::{ApiError, OAuthError};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The `Retry-After` of these responses, in seconds.
const RETRY_AFTER_SECONDS: u16 = 1;

/// A family of routes, by its rendering of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Everything but the OIDC endpoints.
    Management,
    /// The OIDC endpoints.
    Oidc,
}

impl Family {
    /// That of a path.
    #[must_use]
    pub fn of(path: &str) -> Self {
        let path = path.trim_start_matches('/');
        if path == "oidc" || path.starts_with("oidc/") || path.starts_with(".well-known/") {
            Self::Oidc
        } else {
            Self::Management
        }
    }

    /// 500: the server failed; the log says how.
    #[must_use]
    pub fn failed(self) -> Response {
        match self {
            Self::Management => {
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Internal server error.")
                    .into_response()
            }
            Self::Oidc => OAuthError::server_error().into_response(),
        }
    }

    /// 503: the server took too long.
    #[must_use]
    pub fn timed_out(self) -> Response {
        self.unavailable("request.timeout", "The request took too long.")
    }

    /// 503: the client has too many requests in progress.
    #[must_use]
    pub fn crowded(self) -> Response {
        self.unavailable("request.too_many", "Too many requests from this address are in progress.")
    }

    fn unavailable(self, code: &str, message: &str) -> Response {
        match self {
            Self::Management => ApiError::unavailable(code, message, RETRY_AFTER_SECONDS).into_response(),
            Self::Oidc => {
                let mut response = OAuthError::temporarily_unavailable().into_response();
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
                response
            }
        }
    }

    /// 408: the client took too long over its body.
    #[must_use]
    pub fn body_late(self) -> Response {
        let message = "The request body took too long.";
        self.refuse(StatusCode::REQUEST_TIMEOUT, "request.body_timeout", message)
    }

    /// A request that no route is asked about.
    #[must_use]
    pub fn refuse(self, status: StatusCode, code: &str, message: &str) -> Response {
        match self {
            Self::Management => ApiError::new(status, code, message).into_response(),
            Self::Oidc => OAuthError::unanswerable(status, message).into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_its_family() {
        for path in ["/oidc/token", "/oidc", "/.well-known/oauth-authorization-server/oidc"] {
            assert_eq!(Family::of(path), Family::Oidc, "{path}");
        }
        for path in ["/api/users", "/", "/oidcx", "*", "/api/.well-known/management.openapi.json"] {
            assert_eq!(Family::of(path), Family::Management, "{path}");
        }
    }
}
