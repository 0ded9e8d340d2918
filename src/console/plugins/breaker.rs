//! Closes the circuit breaker of a plugin.

use crate::answer::done;
use crate::failure::Failure;
use crate::plugins::{api, home};
use crate::posted::Posted;
use axum::extract::Path;
use axum::http::Method;
use axum::response::Response;
use serde_json::json;

/// `POST …/breaker`.
pub(super) async fn close_breaker(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    posted.caller.change(Method::POST, &format!("{}/breaker/close", api(&name)), json!({})).await?;
    Ok(done(&home(&name), "saved"))
}
