//! The Management API as the screens call it: in process, on behalf of one operator.

use crate::operator::Operator;
use crate::pending_form::{Confirmation, ConfirmationInput, ConfirmationQuestion, PendingForm};
use crate::recent_entries::RecentEntries;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use axum::response::IntoResponse;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// Permit of an open stream; the stream counts against the session's limit until the permit is dropped.
pub type StreamPermit = Box<dyn std::any::Any + Send + Sync>;

/// The future response of a call.
pub type Called = BoxFuture<'static, Response<Body>>;

/// Whether an operator may use an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Allowed now.
    Allowed,
    /// Allowed after a fresh sign-in.
    AfterSignIn,
    /// Denied.
    Denied,
}

/// The Management API.
pub trait Api: Send + Sync + 'static {
    /// Calls an operation. The request has the path (`/api/…`), query, headers and body, and no credentials.
    ///
    /// Two OpenID Connect endpoints are available as well, for trying out applications: `/oidc/token` and `/oidc/me`.
    /// They receive the request unchanged, as if the application had sent it, without the operator's identity.
    fn call(&self, operator: &Operator, request: Request<Body>) -> Called;

    /// Whether the operator may use an operation, given its method and its path template from the OpenAPI description
    /// (`/api/users/{userId}`).
    fn access(&self, operator: &Operator, method: &Method, path: &str) -> Access;

    /// The newest entries of the audit log, read once by a shared reader for all live views. None if there is no such
    /// reader or the operator may no longer read the log; a call for the entries then reports the refusal.
    fn recent_entries(&self, operator: &Operator) -> BoxFuture<'static, Option<Arc<RecentEntries>>> {
        let _ = operator;
        Box::pin(async { None })
    }

    /// What an operator is asked to confirm their identity, with the form sealed: only this operator can have it carried
    /// out, at its path, for a short time.
    fn ask_confirmation(
        &self,
        operator: &Operator,
        form: PendingForm,
    ) -> BoxFuture<'static, Result<ConfirmationQuestion, Response<Body>>> {
        let _ = (operator, form);
        Box::pin(async { Err(StatusCode::NOT_IMPLEMENTED.into_response()) })
    }

    /// Verifies a confirmation. A form is carried out at most once.
    fn confirm(
        &self,
        operator: &Operator,
        input: ConfirmationInput,
    ) -> BoxFuture<'static, Result<Confirmation, Response<Body>>> {
        let _ = (operator, input);
        Box::pin(async { Err(StatusCode::NOT_IMPLEMENTED.into_response()) })
    }

    /// Opens an unbounded response (server-sent events), which counts until the permit is dropped. None if the
    /// operator's session has reached its limit of open streams.
    fn open_stream(&self, operator: &Operator) -> Option<StreamPermit> {
        let _ = operator;
        Some(Box::new(()))
    }

    /// An unguessable value of 43 characters of `A-Z a-z 0-9 - _` (256 bits), for states, nonces and PKCE verifiers.
    /// None if the system has no random bytes.
    fn secret(&self) -> Option<String>;
}
