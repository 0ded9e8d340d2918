//! `/api/organizations/{id}/jit/email-domains`.

use crate::links::{LinkEvent, LinkFamily};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::organization::{EmailDomain, EmailDomains};
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite};
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::LinkChanges;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::jit::EMAIL_DOMAINS;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use serde::{Deserialize, Serialize};
use std::slice;

const LINKS: LinkFamily<OrganizationId, String> = LinkFamily {
    links: EMAIL_DOMAINS,
    audit_key: AuditKey::ManagementOrganizationChangeEmailDomains,
    owner: &["organizationId"],
    changes: ["addedEmailDomains", "removedEmailDomains"],
    event: LinkEvent::Nothing,
};

/// A domain whose people an organization lets in.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "emailDomain": "acme.example.com" }))]
pub(super) struct AddEmailDomain {
    /// Kept in lower case.
    #[schema(value_type = String, max_length = 128)]
    email_domain: EmailDomain,
}

/// All the domains whose people an organization lets in.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "emailDomains": ["acme.example.com"] }))]
pub(super) struct ReplaceEmailDomains {
    /// At most 1000; kept in lower case.
    #[schema(value_type = Vec<String>, max_items = 1000)]
    email_domains: EmailDomains,
}

/// A domain of an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "organizationId": "o6r2g9a4n1z8", "emailDomain": "acme.example.com"
}))]
pub(super) struct EmailDomainView {
    /// Always `default`.
    tenant_id: &'static str,
    organization_id: String,
    /// In lower case.
    email_domain: String,
}

impl From<organizations::jit::EmailDomain> for EmailDomainView {
    fn from(row: organizations::jit::EmailDomain) -> Self {
        Self { tenant_id: TENANT, organization_id: row.organization_id.into(), email_domain: row.email_domain }
    }
}

/// Lists the email domains whose people an organization lets in; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/jit/email-domains", tag = "Organizations",
    summary = "List the email domains of an organization",
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
    page.answer(total, domains.into_iter().map(EmailDomainView::from).collect())
}

/// Lets an organization let in the people of an email domain.
#[utoipa::path(
    post, path = "/api/organizations/{id}/jit/email-domains", tag = "Organizations",
    summary = "Add an email domain to an organization",
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
    let status = LINKS.commit(tx, &id, LinkChanges::added(added), StatusCode::CREATED).await?;
    Ok((status, Json(EmailDomainView { tenant_id: TENANT, organization_id: id.into(), email_domain })))
}

/// Lets an organization let in the people of these email domains and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/jit/email-domains", tag = "Organizations",
    summary = "Replace the email domains of an organization",
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
    LINKS.replace(tx, &id, body.email_domains.as_slice(), "organization").await
}

/// Takes an email domain from an organization.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/jit/email-domains/{emailDomain}", tag = "Organizations",
    summary = "Take an email domain from an organization",
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
    LINKS.commit(tx, &id, LinkChanges::removed(vec![domain]), StatusCode::NO_CONTENT).await
}
