//! `/api/organization-roles/{id}/resource-scopes`: the scopes of API resources that an organization role has.

use crate::links::{LinkEvent, LinkFamily};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use crate::views::IntoView;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_roles::{AddResourceScopes, ReplaceResourceScopes};
use claimsmith_api::resources::ScopeView;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{OrganizationRoleId, ScopeId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::organizations::role_scopes::{self, RESOURCE_SCOPES};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, organizations, resources};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;

const LINKS: LinkFamily<OrganizationRoleId, ScopeId> = LinkFamily {
    links: RESOURCE_SCOPES,
    audit_key: AuditKey::ManagementOrganizationRoleChangeResourceScopes,
    owner: &["organizationRoleId"],
    changes: ["addedScopeIds", "removedScopeIds"],
    event: LinkEvent::Nothing,
};

/// Lists the scopes of resources that a role carries; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organization-roles/{id}/resource-scopes", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role"), OptionalPageParameters),
    responses(
        (status = 200, description = "The scopes", body = Vec<ScopeView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_role_resource_scopes(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationRoleId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let role = organizations::roles::find(&mut tx, &id).await?;
    role.ok_or_else(|| ApiError::not_found("organization role", &id))?;
    let total = RESOURCE_SCOPES.count(&mut tx, &id).await?;
    let scopes = role_scopes::resource_scopes_of(&mut tx, &id, page.slice()).await?;
    page.answer(total, scopes.into_iter().map(IntoView::<ScopeView>::into_view).collect())
}

/// Lets a role carry more scopes of resources; those that it carries already are no error.
#[utoipa::path(
    post, path = "/api/organization-roles/{id}/resource-scopes", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    request_body = AddResourceScopes,
    responses(
        (status = 201, description = "Added; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such role or scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_role_resource_scopes(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
    JsonBody(body): JsonBody<AddResourceScopes>,
) -> Result<StatusCode, ApiError> {
    let scope_ids = body.scope_ids.as_slice();
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    check(&management, &mut tx, scope_ids).await?;
    LINKS.add(tx, &id, scope_ids, "organization role or scope").await
}

/// Lets a role carry these scopes of resources and no others.
#[utoipa::path(
    put, path = "/api/organization-roles/{id}/resource-scopes", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    request_body = ReplaceResourceScopes,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such role or scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_role_resource_scopes(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
    JsonBody(body): JsonBody<ReplaceResourceScopes>,
) -> Result<StatusCode, ApiError> {
    let scope_ids = body.scope_ids.as_slice();
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    organizations::roles::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization role"))?;
    check(&management, &mut tx, scope_ids).await?;
    LINKS.replace(tx, &id, scope_ids, "scope").await
}

/// Takes a scope of a resource from a role.
#[utoipa::path(
    delete, path = "/api/organization-roles/{id}/resource-scopes/{scopeId}", tag = "Organization roles",
    params(
        ("id" = String, Path, description = "The organization role"),
        ("scopeId" = String, Path, description = "The scope"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The role does not carry this scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_role_resource_scope(
    management: Management<OrganizationsWrite>,
    IdPair(id, scope_id): IdPair<OrganizationRoleId, ScopeId>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    LINKS.remove(tx, &id, scope_id, "resource scope of the organization role").await
}

/// Refuses unknown scopes, and those of the Management API, which organization roles cannot have.
pub(super) async fn check(management: &Caller, tx: &mut Tx, scope_ids: &[ScopeId]) -> Result<(), ApiError> {
    let scopes = resources::find_scopes(tx, scope_ids).await?;
    if scopes.len() < scope_ids.len() {
        return Err(relations::missing("scope"));
    }
    if privilege_guard::check_scopes(management, tx, &scopes).await? {
        return Err(relations::unfit("Scopes of the Management API cannot be given to an organization role."));
    }
    Ok(())
}
