//! `GET /api/roles/{id}`.

use crate::refusals::AccessRefused;
use crate::views::RoleView;
use axum::Json;
use claimsmith_domain::id::RoleId;
use claimsmith_domain::management::RolesRead;
use claimsmith_storage::roles;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows a role.
#[utoipa::path(
    get, path = "/api/roles/{id}", tag = "Roles", summary = "Show a role",
    params(("id" = String, Path, description = "The role")),
    responses(
        (status = 200, description = "The role", body = RoleView),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_role(
    management: Management<RolesRead>,
    Id(id): Id<RoleId>,
) -> Result<Json<RoleView>, ApiError> {
    let role = roles::find(&mut management.read().await?, &id).await?;
    Ok(Json(role.ok_or_else(|| ApiError::not_found("role", &id))?.into()))
}
