//! `/api/organizations/{id}/applications/{applicationId}/roles`.

use super::chosen_roles::{checked, resolve};
use super::members::{APPLICATION_ROLES, require_applications};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organizations::{ChosenRoleIds, ChosenRoles};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, Recent};
use claimsmith_storage::LinkChanges;
use claimsmith_storage::organizations::applications::ROLES;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{IdPair, IdTriple};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use std::slice;

/// Lists the roles of an application; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/applications/{applicationId}/roles", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("applicationId" = String, Path, description = "The application"),
        OptionalPageParameters,
    ),
    responses(
        (status = 200, description = "The roles", body = Vec<OrganizationRoleView>),
        AccessRefused, NoSuchPage, UnknownId,
        (status = 422, description = "The application does not belong to the organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_application_roles(
    management: Management<OrganizationsRead>,
    IdPair(id, application_id): IdPair<OrganizationId, ApplicationId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    require_applications(&mut tx, &id, slice::from_ref(&application_id)).await?;
    let total = ROLES.count(&mut tx, (&id, &application_id)).await?;
    let roles = ROLES.list(&mut tx, (&id, &application_id), page.slice()).await?;
    page.answer(total, roles.into_iter().map(IntoView::<OrganizationRoleView>::into_view).collect())
}

/// Gives an application roles; those that it has already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/applications/{applicationId}/roles", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("applicationId" = String, Path, description = "The application"),
    ),
    request_body = ChosenRoles,
    responses(
        (status = 201, description = "The roles asked for", body = ChosenRoleIds),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "The application is not of the organization, or the role not for applications",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_application_roles(
    management: Management<Recent<OrganizationsWrite>>,
    IdPair(id, application_id): IdPair<OrganizationId, ApplicationId>,
    JsonBody(body): JsonBody<ChosenRoles>,
) -> Result<(StatusCode, Json<ChosenRoleIds>), ApiError> {
    let chosen = checked(body)?;
    // `Changed::Nothing`: roles in an organization are read for each token, and this request removes none.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    require_applications(&mut tx, &id, slice::from_ref(&application_id)).await?;
    let organization_role_ids = resolve(chosen, &mut tx, RoleType::MachineToMachine).await?;
    let added = ROLES.add(&mut tx, (&id, &application_id), &organization_role_ids).await?;
    let changes = LinkChanges::added(added);
    let status = APPLICATION_ROLES.commit(tx, (&id, &application_id), changes, StatusCode::CREATED).await?;
    Ok((status, Json(ChosenRoleIds { organization_role_ids })))
}

/// Lets an application have these roles and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/applications/{applicationId}/roles", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("applicationId" = String, Path, description = "The application"),
    ),
    request_body = ChosenRoles,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "The application is not of the organization, or the role not for applications",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_application_roles(
    management: Management<Recent<OrganizationsWrite>>,
    IdPair(id, application_id): IdPair<OrganizationId, ApplicationId>,
    JsonBody(body): JsonBody<ChosenRoles>,
) -> Result<StatusCode, ApiError> {
    let chosen = checked(body)?;
    let mut tx = management.begin_revision(Changed::Application(&application_id)).await?;
    require_applications(&mut tx, &id, slice::from_ref(&application_id)).await?;
    let role_ids = resolve(chosen, &mut tx, RoleType::MachineToMachine).await?;
    let changes = ROLES.replace(&mut tx, (&id, &application_id), &role_ids).await?;
    APPLICATION_ROLES.commit(tx, (&id, &application_id), changes, StatusCode::NO_CONTENT).await
}

/// Takes a role from an application.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/applications/{applicationId}/roles/{organizationRoleId}", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("applicationId" = String, Path, description = "The application"),
        ("organizationRoleId" = String, Path, description = "The organization role"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The application does not have this role", body = ApiErrorBody),
        (status = 422, description = "The application does not belong to the organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_application_role(
    management: Management<Recent<OrganizationsWrite>>,
    IdTriple(id, application_id, role_id): IdTriple<OrganizationId, ApplicationId, OrganizationRoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&application_id)).await?;
    require_applications(&mut tx, &id, slice::from_ref(&application_id)).await?;
    APPLICATION_ROLES.remove(tx, (&id, &application_id), role_id, "role of the application").await
}
