//! The Management API as the screens call it: within the process, for one operator.

use crate::operator::Operator;
use crate::recent_entries::RecentEntries;
use axum::body::Body;
use axum::http::{Method, Request, Response};
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// An open stream.
pub type StreamPermit = Box<dyn std::any::Any + Send + Sync>;

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
    ///
    /// Two endpoints of OpenID Connect are reached as well, for trying applications out: `/oidc/token` and `/oidc/me`. They
    /// get the request as it is, as if an application had sent it, without anything of the operator.
    fn call(&self, operator: &Operator, request: Request<Body>) -> Called;

    /// Whether the operator may use an operation, by its method and its path as the OpenAPI description writes it
    /// (`/api/users/{userId}`).
    fn access(&self, operator: &Operator, method: &Method, path: &str) -> Access;

    /// The newest entries of the audit log, which one reader reads for all who ask; none where there is no such reader, or
    /// the operator may not read the log any more: a call for the entries then says so.
    fn recent_entries(&self, operator: &Operator) -> BoxFuture<'static, Option<Arc<RecentEntries>>> {
        let _ = operator;
        Box::pin(async { None })
    }

    /// Opens an answer without an end (server-sent events), which counts while the permit is kept; none when the
    /// session of the operator has as many as it may have.
    fn open_stream(&self, operator: &Operator) -> Option<StreamPermit> {
        let _ = operator;
        Some(Box::new(()))
    }

    /// 43 characters of `A-Z a-z 0-9 - _` (256 bits) that nobody can guess: states, nonces and verifiers of PKCE. Nothing
    /// if the machine has no random bytes.
    fn secret(&self) -> Option<String>;
}
