//! `GET /api/organization-roles/{id}`.

use super::OrganizationRoleView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::organization_roles;
use axum::Json;

/// Shows an organization role.
#[utoipa::path(
    get, path = "/api/organization-roles/{id}", tag = "Organization roles", summary = "Show an organization role",
    params(("id" = String, Path, description = "The organization role")),
    responses(
        (status = 200, description = "The role", body = OrganizationRoleView),
        Refused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "organizations:read"])),
)]
pub(super) async fn show_organization_role(caller: Caller, Id(id): Id) -> Result<Json<OrganizationRoleView>, ApiError> {
    let management = caller.require("organizations:read")?;
    let role = organization_roles::find(&mut management.read().await?, &id).await?;
    Ok(Json(role.ok_or_else(|| ApiError::not_found("organization role", &id))?.into()))
}
