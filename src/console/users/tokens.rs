//! Personal access tokens of a user: created, shown once, deleted.

use super::secret::CreatedSecret;
use super::sessions::show_again;
use super::user::{PageHead, SESSIONS, operation, page};
use crate::answer::done;
use crate::caller::segment;
use crate::failure::Failure;
use crate::posted::Posted;
use crate::time::end_of_day;
use axum::extract::Path;
use axum::http::Method;
use axum::response::Response;
use claimsmith_api::users::sign_in::TokenView;
use serde_json::json;

pub(super) async fn create_token(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "name": form.text("name"), "expiresAt": end_of_day(form.text("expires")) });
    let made: TokenView = match caller.write(Method::POST, &operation(&id, "/personal-access-tokens"), body).await {
        Ok(made) => made,
        Err(failure) => return show_again(&caller, &id, failure).await,
    };
    let head = PageHead::load(&caller, &id, SESSIONS).await?;
    let about = "A program exchanges it for access tokens (grant_type token-exchange, with \
        subject_token_type urn:logto:token-type:personal_access_token).";
    let title = "The personal access token";
    CreatedSecret { title, about: about.to_owned(), values: vec![made.value], picture: None, then: "sessions" }
        .show(&caller, head)
}

pub(super) async fn delete_token(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let path = operation(&id, &format!("/personal-access-tokens/{}", segment(form.text("name"))));
    match caller.delete(&path).await {
        Ok(()) => Ok(done(&page(&id, "sessions"), "deleted")),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}
