//! `GET /api/organization-roles/{id}`.

use crate::refusals::AccessRefused;
use crate::views::OrganizationRoleView;
use axum::Json;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows an organization role.
#[utoipa::path(
    get, path = "/api/organization-roles/{id}", tag = "Organization roles", summary = "Show an organization role",
    params(("id" = String, Path, description = "The organization role")),
    responses(
        (status = 200, description = "The role", body = OrganizationRoleView),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_organization_role(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationRoleId>,
) -> Result<Json<OrganizationRoleView>, ApiError> {
    let role = organizations::roles::find(&mut management.read().await?, &id).await?;
    Ok(Json(role.ok_or_else(|| ApiError::not_found("organization role", &id))?.into()))
}
