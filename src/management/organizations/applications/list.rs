//! `GET /api/organizations/{id}/applications`.

use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use crate::views::{ApplicationView, HeldRoleView};
use axum::response::Response;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde::Serialize;

/// An application that belongs to an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "b5n8q1w4z7k0x3c6t9r2m", "name": "Nightly export", "description": null,
    "type": "MachineToMachine", "oidcClientMetadata": { "redirectUris": [], "postLogoutRedirectUris": [] },
    "customClientMetadata": {}, "protectedAppMetadata": null, "customData": {}, "isThirdParty": false,
    "appLevelAccessControlEnabled": false, "createdAt": 1_760_000_000_000_i64,
    "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "exporter" }]
}))]
pub(super) struct MemberApplicationView {
    #[serde(flatten)]
    application: ApplicationView,
    /// What it is in this organization.
    organization_roles: Vec<HeldRoleView>,
}

/// Lists the applications of an organization, newest first.
#[utoipa::path(
    get, path = "/api/organizations/{id}/applications", tag = "Organizations",
    summary = "List the applications of an organization",
    params(
        ("id" = String, Path, description = "The organization"),
        ("q" = Option<String>, Query, description = "Part of the id, the name or the description"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<MemberApplicationView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_applications(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
    query: Query,
    page: Page,
) -> Result<Response, ApiError> {
    let part = query.one("q")?;
    let mut tx = management.read().await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("organization", &id))?;
    let total = organizations::applications::count(&mut tx, &id, part).await.map_err(ApiError::from_search)?;
    let applications =
        organizations::applications::list(&mut tx, &id, part, page.slice()).await.map_err(ApiError::from_search)?;
    let application_ids: Vec<_> = applications.iter().map(|one| &one.id).collect();
    let roles = organizations::applications::roles_of(&mut tx, &id, &application_ids).await?;
    let members = applications.into_iter().map(|one| MemberApplicationView {
        organization_roles: HeldRoleView::of(&one.id, &roles),
        application: one.into(),
    });
    page.answer(total, members.collect())
}
