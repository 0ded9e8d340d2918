//! `/api/organizations/{id}/jit/sso-connectors`: the enterprise connectors whose users become members of an
//! organization when they sign in there.

use crate::links::{LinkEvent, LinkFamily};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organizations::{AddJitSsoConnectors, JitSsoConnectorView, ReplaceJitSsoConnectors};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{OrganizationId, SsoConnectorId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite};
use claimsmith_storage::connectors::sso_connectors::SsoConnector;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::jit::{self, SSO_CONNECTORS};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;

const LINKS: LinkFamily<OrganizationId, SsoConnectorId> = LinkFamily {
    links: SSO_CONNECTORS,
    audit_key: AuditKey::ManagementOrganizationChangeJitSsoConnectors,
    owner: &["organizationId"],
    changes: ["addedSsoConnectorIds", "removedSsoConnectorIds"],
    event: LinkEvent::Nothing,
};

/// Without the configuration, which needs the right to read connectors.
fn view(connector: SsoConnector) -> JitSsoConnectorView {
    JitSsoConnectorView {
        tenant_id: Tenant,
        id: connector.id,
        provider_name: connector.provider_name,
        connector_name: connector.connector_name,
        branding: connector.branding.0,
        created_at: connector.created_at,
    }
}

/// Lists the enterprise connectors whose users an organization lets in; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/jit/sso-connectors", tag = "Organizations",
    params(("id" = String, Path, description = "The organization"), OptionalPageParameters),
    responses(
        (status = 200, description = "The connectors", body = Vec<JitSsoConnectorView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_jit_sso_connectors(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("organization", &id))?;
    let total = SSO_CONNECTORS.count(&mut tx, &id).await?;
    let connectors = jit::sso_connectors(&mut tx, &id, page.slice()).await?;
    page.answer(total, connectors.into_iter().map(view).collect())
}

/// Lets an organization let in the users of more enterprise connectors; those that it has already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/jit/sso-connectors", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddJitSsoConnectors,
    responses(
        (status = 201, description = "Added; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_jit_sso_connectors(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddJitSsoConnectors>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin().await?;
    LINKS.add(tx, &id, body.sso_connector_ids.as_slice(), "organization or connector").await
}

/// Lets an organization let in the users of these enterprise connectors and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/jit/sso-connectors", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceJitSsoConnectors,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_jit_sso_connectors(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceJitSsoConnectors>,
) -> Result<StatusCode, ApiError> {
    // Serialized: the lists of two concurrent requests must not be merged.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    LINKS.replace(tx, &id, body.sso_connector_ids.as_slice(), "connector").await
}

/// Takes an enterprise connector from an organization.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/jit/sso-connectors/{ssoConnectorId}", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("ssoConnectorId" = String, Path, description = "The connector"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The organization does not have this connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_jit_sso_connector(
    management: Management<OrganizationsWrite>,
    IdPair(id, connector_id): IdPair<OrganizationId, SsoConnectorId>,
) -> Result<StatusCode, ApiError> {
    LINKS.remove(management.begin().await?, &id, connector_id, "enterprise connector of the organization").await
}
