//! Refusals of the OIDC endpoints: `{error, error_description, code, message}`.

use super::{Failure, REALM, RETRY_AFTER_SECONDS, log_failure};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_services::tokens::RefusedBy;
use serde_json::json;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A refusal of an OIDC endpoint (RFC 6749 section 5.2, `docs/decisions/token-endpoint-errors.md`).
#[derive(Clone, Debug)]
pub struct OAuthError {
    status: StatusCode,
    /// The `error` word.
    pub error: &'static str,
    /// The `error_description`: of the characters that RFC 6749 lets it have.
    pub description: String,
    /// The same as it was meant, in any language.
    meant: String,
    /// Additional details for the operator, in the log and the audit log.
    pub(super) detail: Option<&'static str>,
    /// The plugin that refused the token, for the audit log.
    pub(super) refused_by: Option<Box<RefusedBy>>,
    pub(crate) challenge: Option<Challenge>,
}

/// How a client is asked to authenticate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Challenge {
    /// With its secret (RFC 6749 section 5.2).
    Basic,
    /// With an access token (RFC 6750 section 3).
    Bearer,
}

impl OAuthError {
    pub(crate) fn new(status: StatusCode, error: &'static str, description: impl Into<String>) -> Self {
        let meant = description.into();
        Self { status, error, description: described(&meant), meant, detail: None, refused_by: None, challenge: None }
    }

    /// The description as it was meant, for the audit log.
    #[must_use]
    pub fn meant(&self) -> &str {
        &self.meant
    }

    /// The status of its answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether it is the server's fault.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.status.is_server_error()
    }

    /// 400: a parameter is missing, repeated or malformed, or a token in it is not valid.
    #[must_use]
    pub fn invalid_request(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    /// 401: client authentication failed. `challenge`: the request had an Authorization header.
    #[must_use]
    pub fn invalid_client(challenge: bool) -> Self {
        let mut error = Self::new(StatusCode::UNAUTHORIZED, "invalid_client", "client authentication failed");
        error.challenge = challenge.then_some(Challenge::Basic);
        error
    }

    /// 400: the application may not use this grant.
    #[must_use]
    pub fn unauthorized_client(description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unauthorized_client", description)
    }

    /// Additional details for the operator, which the client does not get.
    #[must_use]
    pub fn detail(&self) -> Option<&'static str> {
        self.detail
    }

    /// The plugin that refused the token, which the client is not told.
    #[must_use]
    pub fn refused_by(&self) -> Option<&RefusedBy> {
        self.refused_by.as_deref()
    }

    /// A failure of the server with the id of the request, by which support finds it in the logs. Other errors stay as
    /// they are.
    #[must_use]
    pub fn for_request(self, request_id: Option<&str>) -> Self {
        match request_id {
            Some(id) if self.status == StatusCode::INTERNAL_SERVER_ERROR => {
                let meant = format!("{}; request id: {id}", self.meant);
                Self { description: described(&meant), meant, ..self }
            }
            _ => self,
        }
    }

    /// 400: no such client, for pages; the token endpoint returns [`Self::invalid_client`].
    #[must_use]
    pub fn unknown_client() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_client", "client is invalid")
    }

    /// 400: the redirect URI is not registered.
    #[must_use]
    pub fn invalid_redirect_uri(description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_redirect_uri", description)
    }

    /// 400: the reference of a pushed request is not valid (RFC 9126 section 4).
    #[must_use]
    pub fn invalid_request_uri(description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_uri", description)
    }

    /// 400: only `code` is answered.
    #[must_use]
    pub fn unsupported_response_type() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unsupported_response_type", "unsupported response_type requested")
    }

    /// 400: a parameter that would have to be obeyed, by its own error word.
    #[must_use]
    pub fn not_supported(error: &'static str, parameter: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error, format!("{parameter} parameter is not supported"))
    }

    /// 400: the user would have to be prompted, or refused (OpenID Connect Core section 3.1.2.6).
    #[must_use]
    pub fn interaction(error: &'static str, description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error, description)
    }

    /// 500: an internal failure; the client gets no details.
    #[must_use]
    pub fn server_error() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "the authorization server failed")
    }

    /// 503: too busy, or the authorization data kept changing.
    #[must_use]
    pub fn temporarily_unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "try again in a moment")
    }

    /// 413: the body is larger than the endpoint reads.
    #[must_use]
    pub fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request", "the request body is too large")
    }

    /// A request that no endpoint was asked about.
    #[must_use]
    pub fn unanswerable(status: StatusCode, description: &str) -> Self {
        Self::new(status, "invalid_request", description)
    }

    /// 500, or 503 under overload: the server failed. The log says how; the client gets no details.
    pub fn failed(error: &(dyn std::error::Error + 'static)) -> Self {
        match log_failure(error) {
            Failure::Overload => Self::temporarily_unavailable(),
            Failure::Internal => Self::server_error(),
        }
    }

    /// 404: no such route.
    #[must_use]
    pub fn unknown_route(method: &str, path: &str) -> Self {
        let description = format!("unrecognized route or not allowed method ({method} on {path})");
        Self::new(StatusCode::NOT_FOUND, "invalid_request", description)
    }
}

/// A text as an `error_description` (RFC 6749 section 5.2: %x20-21, %x23-5B, %x5D-7E): letters without their marks,
/// plain quotes and dashes, and a question mark for what has no such form. It may include parameters of a request and
/// texts of plugins, and is sent in redirects and in the header `WWW-Authenticate`.
fn described(text: &str) -> String {
    let letters = text.nfkd().filter(|letter| !is_combining_mark(*letter)).map(|letter| match letter {
        '"' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => '\'',
        '\\' => '/',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        ' '..='~' => letter,
        _ if letter.is_control() || letter.is_whitespace() => ' ',
        _ => '?',
    });
    letters.collect()
}

/// A text without control characters.
fn readable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

claimsmith_identity::from_failures!(
    OAuthError,
    |error| Self::failed(&error),
    axum::Error,
    axum::http::Error,
    axum::http::header::InvalidHeaderValue
);

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = json!({
            "error": self.error,
            "error_description": self.description,
            "code": format!("oidc.{}", self.error),
            "message": readable(&self.meant),
        });
        let mut response = (self.status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
        }
        let challenge = match self.challenge {
            None => return response,
            Some(Challenge::Basic) => format!("Basic realm=\"{REALM}\", error=\"{}\"", self.error),
            Some(Challenge::Bearer) => {
                let Self { error, description, .. } = &self;
                format!("Bearer realm=\"{REALM}\", error=\"{error}\", error_description=\"{description}\"")
            }
        };
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_have_the_characters_of_the_specification() {
        for (meant, description, message) in [
            ("unknown parameter 'a'", "unknown parameter 'a'", "unknown parameter 'a'"),
            ("a\r\nSet-Cookie: b\t\u{0}", "a  Set-Cookie: b  ", "a  Set-Cookie: b  "),
            ("say \"no\" \\", "say 'no' /", "say \"no\" \\"),
            ("Größe „fehlt“ …", "Gro?e 'fehlt' ...", "Größe „fehlt“ …"),
            ("\u{7f}\u{85}\u{2028}", "   ", "  \u{2028}"),
            ("Ъ", "?", "Ъ"),
        ] {
            let error = OAuthError::invalid_request(meant);
            assert_eq!((error.description.as_str(), readable(error.meant()).as_str()), (description, message));
        }
        let every = OAuthError::invalid_request((0..=0x2_ffff).filter_map(char::from_u32).collect::<String>());
        let is_allowed = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        assert!(every.description.bytes().all(is_allowed));
        assert!(!readable(every.meant()).contains(char::is_control));
    }
}
