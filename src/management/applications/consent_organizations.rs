//! `/api/applications/{id}/users/{userId}/consent-organizations`: the organizations in which a user lets a third-party
//! application act.

use super::consent_scopes::third_party;
use crate::links::{LinkEvent, LinkFamily};
use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::application_access::{ConsentOrganizationIds, ConsentOrganizations};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{ApplicationId, OrganizationId, UserId};
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite, ByAdmins, Recent};
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::organizations::consents::{self, ORGANIZATIONS};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, organizations, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{IdPair, IdTriple};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::Page;

const LINKS: LinkFamily<(ApplicationId, UserId), OrganizationId> = LinkFamily {
    links: ORGANIZATIONS,
    audit_key: AuditKey::ManagementApplicationChangeConsentOrganizations,
    owner: &["changedApplicationId", "userId"],
    changes: ["addedOrganizationIds", "removedOrganizationIds"],
    event: LinkEvent::Nothing,
};

async fn find(tx: &mut Tx, id: &ApplicationId, user_id: &UserId) -> Result<(), ApiError> {
    third_party(tx, id).await?;
    users::find(tx, user_id).await?.ok_or_else(|| ApiError::unknown_user(user_id))?;
    Ok(())
}

/// The same for a change.
async fn find_changeable(
    management: &Caller,
    tx: &mut Tx,
    id: &ApplicationId,
    user_id: &UserId,
) -> Result<(), ApiError> {
    find(tx, id, user_id).await?;
    privilege_guard::check_application(management, tx, id).await?;
    privilege_guard::check_user(management, tx, user_id).await?;
    Ok(())
}

/// 422 unless the user is a member of each.
async fn check(tx: &mut Tx, user_id: &UserId, organization_ids: &[OrganizationId]) -> Result<(), ApiError> {
    let known = organizations::of_user(tx, user_id).await?;
    if organization_ids.iter().all(|id| known.iter().any(|organization| organization.id == *id)) {
        return Ok(());
    }
    let message = "The user is not a member of each of these organizations.";
    Err(ApiError::new(ApiCode::OrganizationRequireMembership, message))
}

/// Lists the organizations in which a user lets a third-party application act.
#[utoipa::path(
    get, path = "/api/applications/{id}/users/{userId}/consent-organizations", tag = "Applications",
    params(
        ("id" = String, Path, description = "The application"), ("userId" = String, Path, description = "The user"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The organizations", body = ConsentOrganizations, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such application or user", body = ApiErrorBody),
        (status = 422, description = "The application is not a third party's", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_consent_organizations(
    management: Management<ApplicationsRead>,
    IdPair(id, user_id): IdPair<ApplicationId, UserId>,
    page: Page,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    find(&mut tx, &id, &user_id).await?;
    let total = ORGANIZATIONS.count(&mut tx, (&id, &user_id)).await?;
    let found = consents::list(&mut tx, &id, &user_id, page.slice()).await?;
    let organizations = found.into_iter().map(IntoView::into_view).collect();
    page.answer_object(total, &ConsentOrganizations { organizations })
}

/// Lets a third-party application act in more organizations of a user; those in which it acts already are no error.
#[utoipa::path(
    post, path = "/api/applications/{id}/users/{userId}/consent-organizations", tag = "Applications",
    params(
        ("id" = String, Path, description = "The application"), ("userId" = String, Path, description = "The user"),
    ),
    request_body = ConsentOrganizationIds,
    responses(
        (status = 201, description = "Added; without a body"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application or user", body = ApiErrorBody),
        (status = 422, description = "The application is not a third party's, or the user is not a member",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn add_consent_organizations(
    management: Management<ByAdmins<Recent<ApplicationsWrite>>>,
    IdPair(id, user_id): IdPair<ApplicationId, UserId>,
    JsonBody(body): JsonBody<ConsentOrganizationIds>,
) -> Result<StatusCode, ApiError> {
    let organization_ids = body.organization_ids.as_slice();
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    find_changeable(&management, &mut tx, &id, &user_id).await?;
    if organization_ids.is_empty() {
        let details = "Error in key path \"organizationIds\": expected at least 1 id";
        return Err(ApiError::invalid_input("body", details));
    }
    check(&mut tx, &user_id, organization_ids).await?;
    LINKS.add(tx, (&id, &user_id), organization_ids, "organization").await
}

/// Lets a third-party application act in these organizations of a user, and in no others.
#[utoipa::path(
    put, path = "/api/applications/{id}/users/{userId}/consent-organizations", tag = "Applications",
    params(
        ("id" = String, Path, description = "The application"), ("userId" = String, Path, description = "The user"),
    ),
    request_body = ConsentOrganizationIds,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application or user", body = ApiErrorBody),
        (status = 422, description = "The application is not a third party's, or the user is not a member",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_consent_organizations(
    management: Management<ByAdmins<Recent<ApplicationsWrite>>>,
    IdPair(id, user_id): IdPair<ApplicationId, UserId>,
    JsonBody(body): JsonBody<ConsentOrganizationIds>,
) -> Result<StatusCode, ApiError> {
    let organization_ids = body.organization_ids.as_slice();
    // Serialized: the lists of two concurrent requests must not be merged.
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    find_changeable(&management, &mut tx, &id, &user_id).await?;
    check(&mut tx, &user_id, organization_ids).await?;
    LINKS.replace(tx, (&id, &user_id), organization_ids, "organization").await
}

/// Takes back that a third-party application acts in an organization of a user.
#[utoipa::path(
    delete, path = "/api/applications/{id}/users/{userId}/consent-organizations/{organizationId}",
    tag = "Applications",
    params(
        ("id" = String, Path, description = "The application"), ("userId" = String, Path, description = "The user"),
        ("organizationId" = String, Path, description = "The organization"),
    ),
    responses(
        (status = 204, description = "Taken back"),
        AccessRefused,
        (status = 404, description = "No such application or user, or it does not act there", body = ApiErrorBody),
        (status = 422, description = "The application is not a third party's", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_consent_organization(
    management: Management<ByAdmins<Recent<ApplicationsWrite>>>,
    IdTriple(id, user_id, organization_id): IdTriple<ApplicationId, UserId, OrganizationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    find_changeable(&management, &mut tx, &id, &user_id).await?;
    LINKS.remove(tx, (&id, &user_id), organization_id, "consent to the organization").await
}
