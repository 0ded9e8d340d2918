//! The Management API as the screens call it: within the process, for one operator.

use crate::operator::Operator;
use axum::body::Body;
use axum::http::{Method, Request, Response};
use futures_util::future::BoxFuture;

/// What comes of a call.
pub type Called = BoxFuture<'static, Response<Body>>;

/// Whether an operator may use an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Yes, now.
    Allowed,
    /// Yes, after they have signed in again.
    AfterSignIn,
    /// No.
    Denied,
}

/// The Management API.
pub trait Api: Send + Sync + 'static {
    /// Calls an operation. The request has its path (`/api/…`), query, headers and body, and no credentials.
    fn call(&self, operator: &Operator, request: Request<Body>) -> Called;

    /// Whether the operator may use an operation, by its method and its path as the OpenAPI description writes it
    /// (`/api/users/{userId}`).
    fn access(&self, operator: &Operator, method: &Method, path: &str) -> Access;
}
