//! Export of all data of the account, as a file.

use super::proof::{prove, refused};
use super::visitor::AccountPost;
use crate::paths;
use axum::Json;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use claimsmith_identity::own_account::export as own_export;

/// Sends the file.
pub(super) async fn export(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_EXPORT).await {
        return asked;
    }
    match own_export::export(&person.owner).await {
        Ok(document) => {
            let headers = [
                (header::CONTENT_DISPOSITION, "attachment; filename=\"account.json\""),
                (header::CACHE_CONTROL, "no-store"),
            ];
            (headers, Json(document)).into_response()
        }
        Err(refusal) => refused(&person, &form, paths::ACCOUNT_EXPORT, refusal).await,
    }
}
