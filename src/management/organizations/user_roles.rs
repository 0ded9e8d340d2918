//! `/api/organizations/{id}/users/{userId}/roles` and `/scopes`: the roles of a member, and what they carry.

use super::chosen_roles::{checked, resolve};
use super::members::{USER_ROLES, require_users};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organization_scopes::OrganizationScopeView;
use claimsmith_api::organizations::{ChosenRoleIds, ChosenRoles};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, Recent};
use claimsmith_storage::organizations::members::ROLES;
use claimsmith_storage::{LinkChanges, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{IdPair, IdTriple};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use std::slice;

/// Lists the roles of a member; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organizations/{id}/users/{userId}/roles", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
        OptionalPageParameters,
    ),
    responses(
        (status = 200, description = "The roles", body = Vec<OrganizationRoleView>),
        AccessRefused, NoSuchPage, UnknownId,
        (status = 422, description = "The user is not a member", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_user_roles(
    management: Management<OrganizationsRead>,
    IdPair(id, user_id): IdPair<OrganizationId, UserId>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    require_users(&mut tx, &id, slice::from_ref(&user_id)).await?;
    let total = ROLES.count(&mut tx, (&id, &user_id)).await?;
    let roles = ROLES.list(&mut tx, (&id, &user_id), page.slice()).await?;
    page.answer(total, roles.into_iter().map(IntoView::<OrganizationRoleView>::into_view).collect())
}

/// Gives a member roles; those that they have already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/users/{userId}/roles", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
    ),
    request_body = ChosenRoles,
    responses(
        (status = 201, description = "The roles asked for", body = ChosenRoleIds),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "The user is not a member, or there is no such role for users",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_user_roles(
    management: Management<Recent<OrganizationsWrite>>,
    IdPair(id, user_id): IdPair<OrganizationId, UserId>,
    JsonBody(body): JsonBody<ChosenRoles>,
) -> Result<(StatusCode, Json<ChosenRoleIds>), ApiError> {
    let chosen = checked(body)?;
    let mut tx = management.begin().await?;
    require_users(&mut tx, &id, slice::from_ref(&user_id)).await?;
    let organization_role_ids = resolve(chosen, &mut tx, RoleType::User).await?;
    let added = organizations::members::add_roles(&mut tx, &id, &user_id, &organization_role_ids).await?;
    let status = USER_ROLES.commit(tx, (&id, &user_id), LinkChanges::added(added), StatusCode::CREATED).await?;
    Ok((status, Json(ChosenRoleIds { organization_role_ids })))
}

/// Lets a member have these roles and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/users/{userId}/roles", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
    ),
    request_body = ChosenRoles,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "The user is not a member, or there is no such role for users",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_user_roles(
    management: Management<Recent<OrganizationsWrite>>,
    IdPair(id, user_id): IdPair<OrganizationId, UserId>,
    JsonBody(body): JsonBody<ChosenRoles>,
) -> Result<StatusCode, ApiError> {
    let chosen = checked(body)?;
    let mut tx = management.begin().await?;
    require_users(&mut tx, &id, slice::from_ref(&user_id)).await?;
    let role_ids = resolve(chosen, &mut tx, RoleType::User).await?;
    let changes = organizations::members::replace_roles(&mut tx, &id, &user_id, &role_ids).await?;
    USER_ROLES.commit(tx, (&id, &user_id), changes, StatusCode::NO_CONTENT).await
}

/// Takes a role from a member.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/users/{userId}/roles/{organizationRoleId}", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
        ("organizationRoleId" = String, Path, description = "The organization role"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The member does not have this role", body = ApiErrorBody),
        (status = 422, description = "The user is not a member", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_user_role(
    management: Management<Recent<OrganizationsWrite>>,
    IdTriple(id, user_id, role_id): IdTriple<OrganizationId, UserId, OrganizationRoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    require_users(&mut tx, &id, slice::from_ref(&user_id)).await?;
    if !organizations::members::remove_role(&mut tx, &id, &user_id, &role_id).await? {
        return Err(ApiError::nothing_to_delete("role of the member", &role_id));
    }
    let changes = LinkChanges::removed(vec![role_id]);
    USER_ROLES.commit(tx, (&id, &user_id), changes, StatusCode::NO_CONTENT).await
}

/// Lists the organization scopes that a member has through their roles.
#[utoipa::path(
    get, path = "/api/organizations/{id}/users/{userId}/scopes", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
    ),
    responses(
        (status = 200, description = "The scopes", body = Vec<OrganizationScopeView>),
        AccessRefused, UnknownId,
        (status = 422, description = "The user is not a member", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_user_scopes(
    management: Management<OrganizationsRead>,
    IdPair(id, user_id): IdPair<OrganizationId, UserId>,
) -> Result<Json<Vec<OrganizationScopeView>>, ApiError> {
    let mut tx = management.read().await?;
    require_users(&mut tx, &id, slice::from_ref(&user_id)).await?;
    let scopes = organizations::members::scopes_of(&mut tx, &id, &user_id).await?;
    Ok(Json(scopes.into_iter().map(IntoView::<OrganizationScopeView>::into_view).collect()))
}
