//! Refusals of the Management API and the Interaction API: `{code, message, data?, details?}`.

use super::{Failure, REALM, RETRY_AFTER_SECONDS, log_failure};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_storage as storage;
use serde::Serialize;
use serde_json::{Value, json};

/// A refusal of the Management API (`docs/decisions/management-api-errors.md`).
#[derive(Debug)]
pub struct ApiError {
    code: ApiCode,
    retry_after: Option<HeaderValue>,
    /// The error of the bearer token, empty where there was no token (RFC 6750 section 3).
    challenge: Option<&'static str>,
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

/// The status that a code is sent with.
#[must_use]
pub fn status_of(code: ApiCode) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl ApiError {
    /// A refusal with this code and its status, and this message.
    #[must_use]
    pub fn new(code: ApiCode, message: impl Into<String>) -> Self {
        let body = ApiErrorBody { code: code.text().to_owned(), message: message.into(), data: None, details: None };
        Self { code, retry_after: None, challenge: None, body: Box::new(body) }
    }

    /// A refusal with a `Retry-After`: the same request may work in this many seconds.
    #[must_use]
    pub fn unavailable(code: ApiCode, message: impl Into<String>, seconds: u16) -> Self {
        Self { retry_after: Some(seconds.into()), ..Self::new(code, message) }
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> ApiCode {
        self.code
    }

    /// What is wrong, as precisely as it says.
    #[must_use]
    pub fn told(&self) -> &str {
        self.body.details.as_deref().unwrap_or(&self.body.message)
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
        let mut error = Self::new(ApiCode::GuardInvalidInput, format!("The request {part} is invalid."));
        error.body.data = Some(json!({ "issues": details.lines().collect::<Vec<_>>() }));
        error.body.details = Some(details);
        error
    }

    /// 404: no entity of that id.
    #[must_use]
    pub fn not_found(kind: &str, id: &str) -> Self {
        Self::new(ApiCode::EntityNotExistsWithId, format!("The {kind} with id {id:?} does not exist."))
    }

    /// 404: nothing of that id to change.
    #[must_use]
    pub fn nothing_to_change(kind: &str, id: &str) -> Self {
        Self::new(ApiCode::EntityNotExists, format!("The {kind} {id:?} does not exist."))
    }

    /// 404: nothing of that id to delete, or no such user.
    #[must_use]
    pub fn nothing_to_delete(kind: &str, id: &str) -> Self {
        Self::new(ApiCode::EntityNotFound, format!("The {kind} {id:?} does not exist."))
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
                Self::new(ApiCode::RequestInvalidInput, message)
            }
            storage::Error::TimedOut => {
                let message = "The search took too long and was cancelled: use a more specific search.";
                Self::unavailable(ApiCode::RequestSearchTimedOut, message, 5)
            }
            busy if busy.is_busy() => {
                let message = "Too many searches are running: try again later.";
                Self::unavailable(ApiCode::RequestTooManySearches, message, 5)
            }
            other => other.into(),
        }
    }

    /// 404: an entity that the request refers to does not exist.
    #[must_use]
    pub fn unknown_relation(kind: &str) -> Self {
        let message = format!("The {kind} that the request refers to does not exist.");
        Self::new(ApiCode::EntityRelationForeignKeyNotFound, message)
    }

    /// 422: the stored value is no longer readable, so nothing can be merged into it; it can be replaced.
    #[must_use]
    pub fn unreadable(what: &str) -> Self {
        let message =
            format!("The stored {what} cannot be read; it was not changed. Replace it, or run `claimsmith doctor`.");
        Self::new(ApiCode::EntityUnreadable, message)
    }

    /// 500: a failure of the server, which is logged with its causes; or 503 where these say that too much is asked of
    /// it.
    #[must_use]
    pub fn failed(error: &(dyn std::error::Error + 'static)) -> Self {
        match log_failure(error) {
            Failure::Overload => {
                let message = "The server is overloaded: try again in a moment.";
                Self::unavailable(ApiCode::ServerOverloaded, message, RETRY_AFTER_SECONDS)
            }
            Failure::Internal => Self::new(ApiCode::ServerError, "Internal server error."),
        }
    }

    /// 401 with a code of the `auth` family: the request shows no access token.
    #[must_use]
    pub fn token_required(code: ApiCode, message: &str) -> Self {
        Self { challenge: Some(""), ..Self::new(code, message) }
    }

    /// 401: the access token is not valid here.
    #[must_use]
    pub fn unauthorized(code: ApiCode, message: &str) -> Self {
        Self { challenge: Some("invalid_token"), ..Self::new(code, message) }
    }

    /// 401, as the reference answers: a valid token without the scope that a field of one's own account needs.
    #[must_use]
    pub fn insufficient_scope(message: &str) -> Self {
        Self { challenge: Some("insufficient_scope"), ..Self::new(ApiCode::AuthUnauthorized, message) }
    }

    /// 403: a valid token that does not open this route.
    #[must_use]
    pub fn forbidden(message: &str) -> Self {
        Self::new(ApiCode::AuthForbidden, message)
    }
}

// The log has the source errors, and the client gets no details.
claimsmith_identity::from_failures!(
    ApiError,
    |error| Self::failed(&error),
    axum::Error,
    axum::http::Error,
    axum::http::header::InvalidHeaderValue
);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (status_of(self.code), Json(self.body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if let Some(error) = self.challenge {
            let error = if error.is_empty() { String::new() } else { format!(", error=\"{error}\"") };
            if let Ok(challenge) = HeaderValue::try_from(format!("Bearer realm=\"{REALM}\"{error}")) {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
            }
        }
        response
    }
}
