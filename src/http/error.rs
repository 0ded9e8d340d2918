//! The two renderings of a refusal: [`ApiError`] for the Management API, [`OAuthError`] for the OIDC endpoints.
//!
//! The client gets the reason of a refusal. An internal failure is logged with its source errors, and the client gets
//! `server_error` without details.

use crate::storage;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

/// The `realm` of challenges.
pub(in crate::http) const REALM: &str = "claimsmith";

/// A refusal of the Management API (`docs/decisions/management-api-errors.md`).
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    retry_after: Option<HeaderValue>,
    body: Box<ApiErrorBody>,
}

/// `{code, message, data?, details?}`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "code": "entity.not_exists_with_id", "message": "The user with id \"q3v8k1znw2pd\" does not exist."
}))]
pub struct ApiErrorBody {
    /// A stable word such as `entity.not_found`.
    pub code: String,
    /// For people.
    pub message: String,
    /// What a program may want to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// One line per problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

impl ApiError {
    /// A refusal with this status, code and message.
    #[must_use]
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let body = ApiErrorBody { code: code.to_owned(), message: message.into(), data: None, details: None };
        Self { status, retry_after: None, body: Box::new(body) }
    }

    /// 503 with a code of the entity's family: the same request may work in this many seconds.
    #[must_use]
    pub fn unavailable(code: &str, message: impl Into<String>, seconds: u16) -> Self {
        let error = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message);
        Self { retry_after: Some(seconds.into()), ..error }
    }

    /// Adds what a program may want to know.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.body.data = Some(data);
        self
    }

    /// 400: the body, query or path is not what the route takes; `details` has one line per problem.
    #[must_use]
    pub fn invalid_input(part: &str, details: impl Into<String>) -> Self {
        let details = details.into();
        let mut error =
            Self::new(StatusCode::BAD_REQUEST, "guard.invalid_input", format!("The request {part} is invalid."));
        error.body.data = Some(json!({ "issues": details.lines().collect::<Vec<_>>() }));
        error.body.details = Some(details);
        error
    }

    /// 404: no entity of that id.
    #[must_use]
    pub fn not_found(kind: &str, id: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "entity.not_exists_with_id",
            format!("The {kind} with id {id:?} does not exist."),
        )
    }

    /// 404: nothing of that id to change.
    #[must_use]
    pub fn nothing_to_change(kind: &str, id: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "entity.not_exists", format!("The {kind} {id:?} does not exist."))
    }

    /// 404: nothing of that id to delete, or no such user.
    #[must_use]
    pub fn nothing_to_delete(kind: &str, id: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "entity.not_found", format!("The {kind} {id:?} does not exist."))
    }

    /// 404: no such user.
    #[must_use]
    pub fn unknown_user(id: &str) -> Self {
        Self::nothing_to_delete("user", id)
    }

    /// What came of a write: a row that it refers to and that is gone is 404, every other failure the server's.
    #[must_use]
    pub fn from_write(error: storage::Error, kind: &str) -> Self {
        match error {
            storage::Error::Missing => Self::unknown_relation(kind),
            other => other.into(),
        }
    }

    /// What came of a search: a pattern that the database cannot read is 400, one that takes too long 503, every other
    /// failure the server's.
    #[must_use]
    pub fn from_search(error: storage::Error) -> Self {
        match error {
            storage::Error::Pattern => {
                let message = "Input is invalid: this is not a regular expression.";
                Self::new(StatusCode::BAD_REQUEST, "request.invalid_input", message)
            }
            storage::Error::TimedOut => {
                let message = "The search took too long and was cancelled: use a more specific search.";
                Self::unavailable("request.search_timed_out", message, 5)
            }
            busy if busy.is_busy() => {
                let message = "Too many searches are running: try again later.";
                Self::unavailable("request.too_many_searches", message, 5)
            }
            other => other.into(),
        }
    }

    /// 404: an entity that the request refers to does not exist.
    #[must_use]
    pub fn unknown_relation(kind: &str) -> Self {
        let message = format!("The {kind} that the request refers to does not exist.");
        Self::new(StatusCode::NOT_FOUND, "entity.relation_foreign_key_not_found", message)
    }

    /// 422 with a code of the entity's family.
    #[must_use]
    pub fn unprocessable(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// 422: what is stored cannot be read any more, so nothing can be merged into it; it can be replaced.
    #[must_use]
    pub fn unreadable(what: &str) -> Self {
        let message =
            format!("The stored {what} cannot be read; it was not changed. Replace it, or run `claimsmith doctor`.");
        Self::unprocessable("entity.unreadable", message)
    }

    /// 500: a failure of the server, which is logged with its causes.
    #[must_use]
    pub fn failed(error: &dyn std::error::Error) -> Self {
        log_failure(error);
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Internal server error.")
    }

    /// 401 with a code of the `auth` family.
    #[must_use]
    pub fn unauthorized(code: &str, message: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    /// 403: a valid token that does not open this route.
    #[must_use]
    pub fn forbidden(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "auth.forbidden", message)
    }
}

impl<E: std::error::Error> From<E> for ApiError {
    /// Every internal failure: its source errors are logged, and the client gets no details.
    fn from(error: E) -> Self {
        Self::failed(&error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// A refusal of an OIDC endpoint (RFC 6749 section 5.2, `docs/decisions/token-endpoint-errors.md`).
#[derive(Clone, Debug)]
pub struct OAuthError {
    status: StatusCode,
    /// The `error` word.
    pub error: &'static str,
    /// The `error_description`.
    pub description: String,
    pub(in crate::http) challenge: Option<Challenge>,
}

/// How a client is asked to authenticate.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) enum Challenge {
    /// With its secret (RFC 6749 section 5.2).
    Basic,
    /// With an access token (RFC 6750 section 3).
    Bearer,
}

impl OAuthError {
    pub(in crate::http) fn new(status: StatusCode, error: &'static str, description: impl Into<String>) -> Self {
        Self { status, error, description: description.into(), challenge: None }
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

    /// 400: no such grant here.
    #[must_use]
    pub fn unsupported_grant_type() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unsupported_grant_type", "unsupported grant_type requested")
    }

    /// 400: the scope parameter is malformed.
    #[must_use]
    pub fn invalid_scope() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_scope", "scope contains invalid characters")
    }

    /// 400: the resource is missing, repeated, malformed or unknown (RFC 8707).
    #[must_use]
    pub fn invalid_target(description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_target", description)
    }

    /// 400: no such client, as people are told; the token endpoint says [`Self::invalid_client`].
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

    /// 400: a code or refresh token is not valid, or not this client's.
    #[must_use]
    pub fn invalid_grant() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_grant", "grant request is invalid")
    }

    /// 400: a refresh asks for more than was granted.
    #[must_use]
    pub fn scope_not_granted() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_scope", "refresh token missing requested scope")
    }

    /// 403: the grant lacks this scope.
    #[must_use]
    pub fn insufficient_scope(scope: &str) -> Self {
        let description = format!("refresh token missing required scope {scope}");
        Self::new(StatusCode::FORBIDDEN, "insufficient_scope", description)
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

    /// 400: somebody would have to be asked, or said no (OpenID Connect Core section 3.1.2.6).
    #[must_use]
    pub fn interaction(error: &'static str, description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error, description)
    }

    /// 400: a plugin denied the token; the text is the plugin's.
    #[must_use]
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "access_denied", message)
    }

    /// 403: the user is not in the organization.
    #[must_use]
    pub fn not_a_member(description: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "access_denied", description)
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

    /// 404: no such route.
    #[must_use]
    pub fn unknown_route(method: &str, path: &str) -> Self {
        let description = format!("unrecognized route or not allowed method ({method} on {path})");
        Self::new(StatusCode::NOT_FOUND, "invalid_request", description)
    }
}

impl<E: std::error::Error> From<E> for OAuthError {
    fn from(error: E) -> Self {
        log_failure(&error);
        Self::server_error()
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = json!({
            "error": self.error,
            "error_description": self.description,
            "code": format!("oidc.{}", self.error),
            "message": self.description,
        });
        let mut response = (self.status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response();
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

/// Writes a failure and what it comes from to the log.
pub(super) fn log_failure(error: &dyn std::error::Error) {
    let mut chain = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        source = cause.source();
    }
    tracing::error!(error = %chain, "a request failed");
}
