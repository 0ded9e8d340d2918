//! `GET /api/users/{userId}`.

use super::UserView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::users;
use axum::Json;

/// Shows a user.
#[utoipa::path(
    get, path = "/api/users/{userId}", tag = "Users", summary = "Show a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The user", body = UserView),
        Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "users:read"])),
)]
pub(super) async fn show_user(caller: Caller, Id(id): Id) -> Result<Json<UserView>, ApiError> {
    let management = caller.require("users:read")?;
    let user = users::find(&mut management.read().await?, &id).await?;
    Ok(Json(user.ok_or_else(|| ApiError::not_found("user", &id))?.into()))
}
