//! `GET /api/applications/{id}/organizations`.

use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::extract::page::OptionalPage;
use crate::http::management::organization_roles::HeldRoleView;
use crate::http::management::organizations::OrganizationOf;
use crate::http::management::refusals::Refused;
use crate::storage::{applications, organization_applications};
use axum::response::Response;

/// Lists the organizations that an application belongs to, by name; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/applications/{id}/organizations", tag = "Applications",
    summary = "List the organizations of an application",
    params(
        ("id" = String, Path, description = "The application"),
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100"),
    ),
    responses(
        (status = 200, description = "The organizations", body = Vec<OrganizationOf>),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "applications:read"])),
)]
pub(super) async fn list_application_organizations(
    caller: Caller,
    Id(id): Id,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let management = caller.require("applications:read")?;
    let mut tx = management.read().await?;
    applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    let total = organization_applications::count_organizations_of(&mut tx, &id).await?;
    let found = organization_applications::organizations_of(&mut tx, &id, page.slice()).await?;
    let roles = organization_applications::roles_by_organization(&mut tx, &id).await?;
    let with_roles = found
        .into_iter()
        .map(|one| OrganizationOf { organization_roles: HeldRoleView::of(&one.id, &roles), organization: one.into() });
    page.answer(total, with_roles.collect())
}
