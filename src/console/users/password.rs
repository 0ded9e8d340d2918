//! Sets a user's password: one that the operator chooses, or a generated one that is shown once.

use super::secret::CreatedSecret;
use super::security::show_again;
use super::user::{PageHead, SECURITY, operation, page};
use crate::answer::done;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::model::UserFacts;
use crate::posted::Posted;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;

/// Length of a generated password, in characters: 120 bits.
const LENGTH: usize = 20;

pub(super) async fn set_password(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let made = if form.is_ticked("make") { Some(make(&caller)?) } else { None };
    let password = made.as_deref().unwrap_or_else(|| form.raw("password"));
    let result = caller.change(Method::PATCH, &operation(&id, "/password"), json!({ "password": password })).await;
    match (result, made) {
        (Ok(()), None) => Ok(done(&page(&id, "security"), "saved")),
        (Ok(()), Some(password)) => show(&caller, PageHead::load(&caller, &id, SECURITY).await?, password),
        (Err(failure), _) => show_again(&caller, &id, failure).await,
    }
}

/// Generates an unguessable password.
pub(super) fn make(caller: &Caller) -> Result<String, Failure> {
    let nothing = || {
        let message = "No password could be made up: the server's random source failed.";
        Failure::page(caller, StatusCode::INTERNAL_SERVER_ERROR, message)
    };
    let secret = caller.console().api.secret().ok_or_else(nothing)?;
    Ok(secret.chars().take(LENGTH).collect())
}

/// Shows a generated password.
pub(super) fn show(caller: &Caller, head: PageHead, password: String) -> Result<Response, Failure> {
    let about = format!("{} signs in with this password from now on.", head.user.title());
    CreatedSecret { title: "The new password", about, values: vec![password], picture: None, then: "security" }
        .show(caller, head)
}
