//! `/api/organizations/{id}/jit/roles`.

use crate::links::{LinkEvent, LinkFamily};
use crate::organization_roles::check;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use crate::views::OrganizationRoleView;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite};
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::jit::ROLES;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use serde::Deserialize;

const LINKS: LinkFamily<OrganizationId, OrganizationRoleId> = LinkFamily {
    links: ROLES,
    audit_key: AuditKey::ManagementOrganizationChangeJitRoles,
    owner: &["organizationId"],
    changes: ["addedOrganizationRoleIds", "removedOrganizationRoleIds"],
    event: LinkEvent::Nothing,
};

/// More roles for whom an organization lets in.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub(super) struct AddJitRoles {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    organization_role_ids: IdList<OrganizationRoleId, 1>,
}

/// All the roles for whom an organization lets in.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub(super) struct ReplaceJitRoles {
    /// At most 1000.
    #[schema(value_type = Vec<String>, max_items = 1000)]
    organization_role_ids: IdList<OrganizationRoleId, 0>,
}

/// Lists the roles of whom an organization lets in; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/jit/roles", tag = "Organizations",
    summary = "List the roles of whom an organization lets in",
    params(("id" = String, Path, description = "The organization"), OptionalPageParameters),
    responses(
        (status = 200, description = "The roles", body = Vec<OrganizationRoleView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_jit_roles(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("organization", &id))?;
    let total = ROLES.count(&mut tx, &id).await?;
    let roles = ROLES.list(&mut tx, &id, page.slice()).await?;
    page.answer(total, roles.into_iter().map(OrganizationRoleView::from).collect())
}

/// Gives more roles to whom an organization lets in; those that they get already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/jit/roles", tag = "Organizations",
    summary = "Add roles for whom an organization lets in",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddJitRoles,
    responses(
        (status = 201, description = "Added; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such role for users", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_jit_roles(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddJitRoles>,
) -> Result<StatusCode, ApiError> {
    let role_ids = body.organization_role_ids.as_slice();
    let mut tx = management.begin().await?;
    check(&mut tx, role_ids, RoleType::User).await?;
    LINKS.add(tx, &id, role_ids, "organization").await
}

/// Gives these roles to whom an organization lets in, and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/jit/roles", tag = "Organizations",
    summary = "Replace the roles of whom an organization lets in",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceJitRoles,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such role for users", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_jit_roles(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceJitRoles>,
) -> Result<StatusCode, ApiError> {
    let role_ids = body.organization_role_ids.as_slice();
    // Serialized: the lists of two concurrent requests must not be merged.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    check(&mut tx, role_ids, RoleType::User).await?;
    LINKS.replace(tx, &id, role_ids, "organization").await
}

/// Takes a role from those that whom an organization lets in gets.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/jit/roles/{organizationRoleId}", tag = "Organizations",
    summary = "Take a role from whom an organization lets in",
    params(
        ("id" = String, Path, description = "The organization"),
        ("organizationRoleId" = String, Path, description = "The organization role"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "It was not given", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_jit_role(
    management: Management<OrganizationsWrite>,
    IdPair(id, role_id): IdPair<OrganizationId, OrganizationRoleId>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin().await?;
    LINKS.remove(tx, &id, role_id, "just-in-time role of the organization").await
}
