//! `/api/organization-roles/{id}/scopes`.

use crate::links::{LinkEvent, LinkFamily};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use crate::views::IntoView;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_roles::{AddOrganizationScopes, ReplaceOrganizationScopes};
use claimsmith_api::organization_scopes::OrganizationScopeView;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{OrganizationRoleId, OrganizationScopeId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite};
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::role_scopes::{self, SCOPES};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;

const LINKS: LinkFamily<OrganizationRoleId, OrganizationScopeId> = LinkFamily {
    links: SCOPES,
    audit_key: AuditKey::ManagementOrganizationRoleChangeScopes,
    owner: &["organizationRoleId"],
    changes: ["addedOrganizationScopeIds", "removedOrganizationScopeIds"],
    event: LinkEvent::Bare(EventType::OrganizationRoleScopesUpdated),
};

/// Lists the organization scopes that a role carries; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organization-roles/{id}/scopes", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role"), OptionalPageParameters),
    responses(
        (status = 200, description = "The scopes", body = Vec<OrganizationScopeView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_role_scopes(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationRoleId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let role = organizations::roles::find(&mut tx, &id).await?;
    role.ok_or_else(|| ApiError::not_found("organization role", &id))?;
    let total = SCOPES.count(&mut tx, &id).await?;
    let scopes = role_scopes::scopes_of(&mut tx, &id, page.slice()).await?;
    page.answer(total, scopes.into_iter().map(IntoView::<OrganizationScopeView>::into_view).collect())
}

/// Lets a role carry more organization scopes; those that it carries already are no error.
#[utoipa::path(
    post, path = "/api/organization-roles/{id}/scopes", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    request_body = AddOrganizationScopes,
    responses(
        (status = 201, description = "Added; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such role or scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_role_scopes(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
    JsonBody(body): JsonBody<AddOrganizationScopes>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    LINKS.add(tx, &id, body.organization_scope_ids.as_slice(), "organization role or scope").await
}

/// Lets a role carry these organization scopes and no others.
#[utoipa::path(
    put, path = "/api/organization-roles/{id}/scopes", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    request_body = ReplaceOrganizationScopes,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such role or scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_role_scopes(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
    JsonBody(body): JsonBody<ReplaceOrganizationScopes>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    organizations::roles::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization role"))?;
    LINKS.replace(tx, &id, body.organization_scope_ids.as_slice(), "organization scope").await
}

/// Takes an organization scope from a role.
#[utoipa::path(
    delete, path = "/api/organization-roles/{id}/scopes/{organizationScopeId}", tag = "Organization roles",
    params(
        ("id" = String, Path, description = "The organization role"),
        ("organizationScopeId" = String, Path, description = "The organization scope"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The role does not carry this scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_role_scope(
    management: Management<OrganizationsWrite>,
    IdPair(id, scope_id): IdPair<OrganizationRoleId, OrganizationScopeId>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    LINKS.remove(tx, &id, scope_id, "scope of the organization role").await
}
