//! `GET /api/users`.

use super::UserView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::management::Caller;
use crate::http::extract::page::Page;
use crate::http::management::refusals::Refused;
use crate::storage::users;
use axum::response::Response;

/// Lists users, newest first.
#[utoipa::path(
    get, path = "/api/users", tag = "Users", summary = "List users",
    params(
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100, 20 when not given"),
    ),
    responses(
        (status = 200, description = "The page", body = Vec<UserView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
    ),
    security(("oauth2" = ["all", "users:read"])),
)]
pub(super) async fn list_users(caller: Caller, page: Page) -> Result<Response, ApiError> {
    let management = caller.require("users:read")?;
    let mut tx = management.read().await?;
    let total = users::count(&mut tx).await?;
    let users = users::list(&mut tx, page.slice()).await?;
    page.answer(total, users.into_iter().map(UserView::from).collect())
}
