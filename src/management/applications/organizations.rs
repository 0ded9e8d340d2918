//! `GET /api/applications/{id}/organizations`.

use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use crate::views::{IntoView, held_roles};
use axum::response::Response;
use claimsmith_api::organizations::OrganizationOf;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::ApplicationsRead;
use claimsmith_storage::{applications, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;

/// Lists the organizations that an application belongs to, by name; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/applications/{id}/organizations", tag = "Applications",
    params(("id" = String, Path, description = "The application"), OptionalPageParameters),
    responses(
        (status = 200, description = "The organizations", body = Vec<OrganizationOf>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_application_organizations(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    let total = organizations::applications::count_organizations_of(&mut tx, &id).await?;
    let found = organizations::applications::organizations_of(&mut tx, &id, page.slice()).await?;
    let roles = organizations::applications::roles_by_organization(&mut tx, &id).await?;
    let with_roles = found
        .into_iter()
        .map(|one| OrganizationOf { organization_roles: held_roles(&one.id, &roles), organization: one.into_view() });
    page.answer(total, with_roles.collect())
}
