//! `/api/organizations/{id}/jit`: just-in-time provisioning: the email domains whose users become members of an
//! organization automatically, and their roles.

use crate::links::{LinkEvent, LinkFamily};
use crate::organization_roles::check;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organizations::{
    AddEmailDomain, AddJitRoles, EmailDomainView, ReplaceEmailDomains, ReplaceJitRoles,
};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::organization::EmailDomain;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, Recent};
use claimsmith_storage::organizations::jit::{EMAIL_DOMAINS, ROLES};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{LinkChanges, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use std::slice;

const DOMAIN_LINKS: LinkFamily<OrganizationId, String> = LinkFamily {
    links: EMAIL_DOMAINS,
    audit_key: AuditKey::ManagementOrganizationChangeEmailDomains,
    owner: &["organizationId"],
    changes: ["addedEmailDomains", "removedEmailDomains"],
    event: LinkEvent::Nothing,
};

impl IntoView<EmailDomainView> for organizations::jit::EmailDomain {
    fn into_view(self) -> EmailDomainView {
        EmailDomainView { tenant_id: Tenant, organization_id: self.organization_id, email_domain: self.email_domain }
    }
}

/// Lists the email domains whose people an organization lets in; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/jit/email-domains", tag = "Organizations",
    params(("id" = String, Path, description = "The organization"), OptionalPageParameters),
    responses(
        (status = 200, description = "The domains", body = Vec<EmailDomainView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_jit_email_domains(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("organization", &id))?;
    let total = EMAIL_DOMAINS.count(&mut tx, &id).await?;
    let domains = organizations::jit::email_domains(&mut tx, &id, page.slice()).await?;
    page.answer(total, domains.into_iter().map(IntoView::<EmailDomainView>::into_view).collect())
}

/// Lets an organization let in the people of an email domain.
#[utoipa::path(
    post, path = "/api/organizations/{id}/jit/email-domains", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddEmailDomain,
    responses(
        (status = 201, description = "The domain", body = EmailDomainView),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or it has this domain already", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_jit_email_domain(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddEmailDomain>,
) -> Result<(StatusCode, Json<EmailDomainView>), ApiError> {
    let email_domain = String::from(body.email_domain);
    let mut tx = management.begin().await?;
    let linked = EMAIL_DOMAINS.add(&mut tx, &id, slice::from_ref(&email_domain)).await;
    let added = linked.map_err(|error| relations::from_write(error, "organization"))?;
    if added.is_empty() {
        return Err(relations::taken("The organization has this email domain already."));
    }
    let status = DOMAIN_LINKS.commit(tx, &id, LinkChanges::added(added), StatusCode::CREATED).await?;
    Ok((status, Json(EmailDomainView { tenant_id: Tenant, organization_id: id, email_domain })))
}

/// Lets an organization let in the people of these email domains and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/jit/email-domains", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceEmailDomains,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_jit_email_domains(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceEmailDomains>,
) -> Result<StatusCode, ApiError> {
    // Serialized: the lists of two concurrent requests must not be merged.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    DOMAIN_LINKS.replace(tx, &id, body.email_domains.as_slice(), "organization").await
}

/// Takes an email domain from an organization.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/jit/email-domains/{emailDomain}", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("emailDomain" = String, Path, description = "The domain, in any case"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The organization does not have this domain", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_jit_email_domain(
    management: Management<OrganizationsWrite>,
    IdPair(id, text): IdPair<OrganizationId, String>,
) -> Result<StatusCode, ApiError> {
    let nothing = || ApiError::nothing_to_delete("email domain of the organization", &text);
    let domain = String::from(EmailDomain::try_from(text.clone()).map_err(|_| nothing())?);
    let mut tx = management.begin().await?;
    if !EMAIL_DOMAINS.remove(&mut tx, &id, &domain).await? {
        return Err(nothing());
    }
    DOMAIN_LINKS.commit(tx, &id, LinkChanges::removed(vec![domain]), StatusCode::NO_CONTENT).await
}

const ROLE_LINKS: LinkFamily<OrganizationId, OrganizationRoleId> = LinkFamily {
    links: ROLES,
    audit_key: AuditKey::ManagementOrganizationChangeJitRoles,
    owner: &["organizationId"],
    changes: ["addedOrganizationRoleIds", "removedOrganizationRoleIds"],
    event: LinkEvent::Nothing,
};

/// Lists the roles of whom an organization lets in; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/jit/roles", tag = "Organizations",
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
    page.answer(total, roles.into_iter().map(IntoView::<OrganizationRoleView>::into_view).collect())
}

/// Gives more roles to whom an organization lets in; those that they get already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/jit/roles", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddJitRoles,
    responses(
        (status = 201, description = "Added; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such role for users", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_jit_roles(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddJitRoles>,
) -> Result<StatusCode, ApiError> {
    let role_ids = body.organization_role_ids.as_slice();
    let mut tx = management.begin().await?;
    check(&mut tx, role_ids, RoleType::User).await?;
    ROLE_LINKS.add(tx, &id, role_ids, "organization").await
}

/// Gives these roles to whom an organization lets in, and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/jit/roles", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceJitRoles,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such role for users", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_jit_roles(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceJitRoles>,
) -> Result<StatusCode, ApiError> {
    let role_ids = body.organization_role_ids.as_slice();
    // Serialized: the lists of two concurrent requests must not be merged.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    check(&mut tx, role_ids, RoleType::User).await?;
    ROLE_LINKS.replace(tx, &id, role_ids, "organization").await
}

/// Takes a role from those that whom an organization lets in gets.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/jit/roles/{organizationRoleId}", tag = "Organizations",
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
    management: Management<Recent<OrganizationsWrite>>,
    IdPair(id, role_id): IdPair<OrganizationId, OrganizationRoleId>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin().await?;
    ROLE_LINKS.remove(tx, &id, role_id, "just-in-time role of the organization").await
}
