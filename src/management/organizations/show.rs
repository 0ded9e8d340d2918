//! `GET /api/organizations/{id}`.

use crate::refusals::AccessRefused;
use crate::views::OrganizationView;
use axum::Json;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows an organization.
#[utoipa::path(
    get, path = "/api/organizations/{id}", tag = "Organizations", summary = "Show an organization",
    params(("id" = String, Path, description = "The organization")),
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        AccessRefused,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_organization(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
) -> Result<Json<OrganizationView>, ApiError> {
    let organization = organizations::find(&mut management.read().await?, &id).await?;
    Ok(Json(organization.ok_or_else(|| ApiError::not_found("organization", &id))?.into()))
}
