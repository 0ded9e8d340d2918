//! The families of routes, and the error format of each for errors outside of handlers: panics, timeouts, malformed
//! requests.

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_pages::{failure, paths};
use claimsmith_web::accepted::wants_page;
use claimsmith_web::error::{ApiError, OAuthError, RETRY_AFTER_SECONDS, status_of};

/// A family of routes, by its error format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Everything except the OIDC endpoints and the pages.
    Management,
    /// The OIDC endpoints.
    Oidc,
    /// The pages, in this built-in language.
    Page(&'static str),
}

impl Family {
    /// The family of a path, for a client with these headers. Browsers get a page wherever a user sees the response.
    #[must_use]
    pub fn of(path: &str, headers: &HeaderMap) -> Self {
        // Repeated slashes at the beginning count as one.
        let slashes = path.len() - path.trim_start_matches('/').len();
        let path = path.get(slashes.saturating_sub(1)..).unwrap_or(path);
        let is_below =
            |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let is_shown = is_below("/oidc/auth") || path == "/oidc/session/end";
        let page = || Self::Page(failure::language_of(headers));
        if is_below("/oidc") || path.starts_with("/.well-known/") {
            return if is_shown && wants_page(headers) { page() } else { Self::Oidc };
        }
        let is_page = paths::ALL.contains(&path) || (!is_below("/api") && wants_page(headers));
        if is_page { page() } else { Self::Management }
    }

    /// 500: the server failed; the cause is in the log.
    #[must_use]
    pub fn failed(self) -> Response {
        let code = ApiCode::ServerError;
        match self {
            Self::Management => ApiError::new(code, "Internal server error.").into_response(),
            Self::Oidc => OAuthError::server_error().into_response(),
            Self::Page(language) => failure::plain(status_of(code), language, Some(code.text()), None),
        }
    }

    /// 503: the server took too long.
    #[must_use]
    pub fn timed_out(self) -> Response {
        self.unavailable(ApiCode::RequestTimeout, "The request took too long.")
    }

    /// 503: the client has too many requests in progress.
    #[must_use]
    pub fn crowded(self) -> Response {
        self.unavailable(ApiCode::RequestTooMany, "Too many requests from this address are in progress.")
    }

    /// 503: the client exceeds the rate limit of responses that have to be computed.
    #[must_use]
    pub fn too_often(self) -> Response {
        self.unavailable(ApiCode::RequestTooOften, "Too many requests came from this address.")
    }

    fn unavailable(self, code: ApiCode, message: &str) -> Response {
        match self {
            Self::Management => ApiError::unavailable(code, message, RETRY_AFTER_SECONDS).into_response(),
            Self::Oidc => OAuthError::temporarily_unavailable().into_response(),
            Self::Page(language) => failure::overloaded(language, code),
        }
    }

    /// 408: the client was too slow to send its body.
    #[must_use]
    pub fn body_late(self) -> Response {
        self.refuse(ApiCode::RequestBodyTimeout, "The request body took too long.")
    }

    /// Refuses a request before it is routed.
    #[must_use]
    pub fn refuse(self, code: ApiCode, message: &str) -> Response {
        match self {
            Self::Management => ApiError::new(code, message).into_response(),
            Self::Oidc => OAuthError::unanswerable(status_of(code), message).into_response(),
            Self::Page(language) => failure::plain(status_of(code), language, Some(code.text()), Some(message)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderValue, header};

    #[test]
    fn a_path_says_its_family() {
        let program = HeaderMap::new();
        let browser = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static("text/html,*/*;q=0.8"))]);
        for (path, of_program, of_browser) in [
            ("/oidc/token", Family::Oidc, Family::Oidc),
            ("/oidc", Family::Oidc, Family::Oidc),
            ("/.well-known/oauth-authorization-server/oidc", Family::Oidc, Family::Oidc),
            ("/oidc/auth", Family::Oidc, Family::Page("en")),
            ("/oidc/auth/an-id", Family::Oidc, Family::Page("en")),
            ("/oidc/session/end", Family::Oidc, Family::Page("en")),
            ("/oidc/authx", Family::Oidc, Family::Oidc),
            ("/api/users", Family::Management, Family::Management),
            ("/api", Family::Management, Family::Management),
            ("/api/.well-known/management.openapi.json", Family::Management, Family::Management),
            ("/sign-in", Family::Page("en"), Family::Page("en")),
            ("//consent", Family::Page("en"), Family::Page("en")),
            ("/", Family::Management, Family::Page("en")),
            ("/demo", Family::Management, Family::Page("en")),
            ("/oidcx", Family::Management, Family::Page("en")),
            ("*", Family::Management, Family::Page("en")),
        ] {
            assert_eq!(Family::of(path, &program), of_program, "{path}");
            assert_eq!(Family::of(path, &browser), of_browser, "{path}");
        }
    }
}
