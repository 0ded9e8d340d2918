//! `GET /api/roles/{id}`.

use super::RoleView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::roles;
use axum::Json;

/// Shows a role.
#[utoipa::path(
    get, path = "/api/roles/{id}", tag = "Roles", summary = "Show a role",
    params(("id" = String, Path, description = "The role")),
    responses(
        (status = 200, description = "The role", body = RoleView),
        Refused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "roles:read"])),
)]
pub(super) async fn show_role(caller: Caller, Id(id): Id) -> Result<Json<RoleView>, ApiError> {
    let management = caller.require("roles:read")?;
    let role = roles::find(&mut management.read().await?, &id).await?;
    Ok(Json(role.ok_or_else(|| ApiError::not_found("role", &id))?.into()))
}
