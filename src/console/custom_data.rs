//! Custom data of users, organizations and applications: a JSON object in a form, validated before it is sent.

use crate::answer::done;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::json;
use axum::http::Method;
use axum::response::Response;
use serde_json::json;

/// Saves the form's JSON object with a PATCH operation and redirects to `next`. Otherwise returns what is wrong with
/// it.
pub(crate) async fn save(
    caller: &Caller,
    form: &Form,
    operation: &str,
    next: &str,
) -> Result<Result<Response, String>, Failure> {
    let data = match json::object(form, "customData") {
        Ok(data) => data,
        Err(problem) => return Ok(Err(problem)),
    };
    match caller.change(Method::PATCH, operation, json!({ "customData": data })).await {
        Ok(()) => Ok(Ok(done(next, "saved"))),
        Err(failure) => Ok(Err(failure.about_input()?.text())),
    }
}
