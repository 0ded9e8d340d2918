//! `GET /api/organization-scopes/{id}`.

use super::view::OrganizationScopeView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::id::OrganizationScopeId;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows an organization scope.
#[utoipa::path(
    get, path = "/api/organization-scopes/{id}", tag = "Organization scopes", summary = "Show an organization scope",
    params(("id" = String, Path, description = "The organization scope")),
    responses(
        (status = 200, description = "The scope", body = OrganizationScopeView),
        AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_organization_scope(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationScopeId>,
) -> Result<Json<OrganizationScopeView>, ApiError> {
    let scope = organizations::scopes::find(&mut management.read().await?, &id).await?;
    Ok(Json(scope.ok_or_else(|| ApiError::not_found("organization scope", &id))?.into()))
}
