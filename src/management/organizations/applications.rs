//! `/api/organizations/{id}/applications`: machine-to-machine applications that belong to an organization, and several
//! roles for several of them at once.

use super::members::{APPLICATIONS, MAX_PAIRS, require_applications};
use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::views::{IntoView, held_roles};
use crate::{organization_roles, relations};
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organizations::{
    AddApplications, ApplicationIds, MemberApplicationView, ReplaceApplications, RolesForApplications,
};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, Recent};
use claimsmith_storage::organizations::applications::add_roles_to_all;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, applications, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde_json::json;

/// Lists the applications of an organization, newest first.
#[utoipa::path(
    get, path = "/api/organizations/{id}/applications", tag = "Organizations",
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
        organization_roles: held_roles(&one.id, &roles),
        application: one.into_view(),
    });
    page.answer(total, members.collect())
}

/// Lets machine-to-machine applications belong to an organization; those that do already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/applications", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddApplications,
    responses(
        (status = 201, description = "The applications asked for", body = ApplicationIds),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such machine-to-machine application", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_applications(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddApplications>,
) -> Result<(StatusCode, Json<ApplicationIds>), ApiError> {
    // `Changed::Nothing`: an application's membership in an organization is read for each of its tokens.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    check(&mut tx, body.application_ids.as_slice()).await?;
    let ids = body.application_ids.as_slice();
    let status = APPLICATIONS.add(tx, &id, ids, "organization or application").await?;
    Ok((status, Json(ApplicationIds { application_ids: body.application_ids.into_given() })))
}

/// Lets these applications belong to an organization and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/applications", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceApplications,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such machine-to-machine application", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_applications(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceApplications>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    check(&mut tx, body.application_ids.as_slice()).await?;
    APPLICATIONS.replace(tx, &id, body.application_ids.as_slice(), "application").await
}

/// Takes an application out of an organization, with all it was there.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/applications/{applicationId}", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("applicationId" = String, Path, description = "The application"),
    ),
    responses(
        (status = 204, description = "Removed"),
        AccessRefused,
        (status = 404, description = "The application does not belong to the organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_application(
    management: Management<OrganizationsWrite>,
    IdPair(id, application_id): IdPair<OrganizationId, ApplicationId>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin_revision(Changed::Application(&application_id)).await?;
    APPLICATIONS.remove(tx, &id, application_id, "application of the organization").await
}

/// 422 unless these are existing machine-to-machine applications.
async fn check(tx: &mut Tx, application_ids: &[ApplicationId]) -> Result<(), ApiError> {
    let kinds = applications::kinds(tx, application_ids).await?;
    if kinds.len() < application_ids.len() {
        return Err(relations::missing("application"));
    }
    if kinds.values().any(|kind| *kind != ApplicationType::MachineToMachine) {
        return Err(relations::unfit("Only machine-to-machine applications belong to organizations."));
    }
    Ok(())
}

/// Gives roles to applications; those that it has already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/applications/roles", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = RolesForApplications,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "An application is not of the organization, or a role not for applications",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn give_roles_to_organization_applications(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<RolesForApplications>,
) -> Result<StatusCode, ApiError> {
    let (application_ids, role_ids) = (body.application_ids.as_slice(), body.organization_role_ids.as_slice());
    if application_ids.len() * role_ids.len() > MAX_PAIRS {
        let details = format!("Error in key path \"applicationIds\": expected at most {MAX_PAIRS} pairs");
        return Err(ApiError::invalid_input("body", details));
    }
    // `Changed::Nothing`: roles in an organization are read for each token, and this request removes none.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    require_applications(&mut tx, &id, application_ids).await?;
    organization_roles::check(&mut tx, role_ids, RoleType::MachineToMachine).await?;
    add_roles_to_all(&mut tx, &id, application_ids, role_ids).await?;
    let details = json!({ "organizationId": id, "applicationIds": application_ids, "organizationRoleIds": role_ids });
    tx.audit(AuditKey::ManagementOrganizationAssignApplicationRoles, details).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}
