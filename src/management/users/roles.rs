//! `/api/users/{userId}/roles`.

use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::{IntoView, assigned_roles};
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::roles::{AssignedRoles, RoleIds, RoleView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_domain::management::{Recent, RolesWrite, UsersRead};
use claimsmith_identity::access::console_roles;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::{Tx, roles};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde_json::json;

/// Lists the roles of a user.
#[utoipa::path(
    get, path = "/api/users/{userId}/roles", tag = "Users",
    params(("userId" = String, Path, description = "The user"), SearchParameters, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<RoleView>),
        AccessRefused, NotSearchable,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_user_roles(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
    page: Page,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let search = search::parse(query.as_deref(), &roles::FIELDS)?;
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let found = roles::holders::count_of_user(&mut tx, &id, search.as_ref()).await;
    let total = found.map_err(ApiError::from_search)?;
    let roles = roles::holders::list_of_user(&mut tx, &id, search.as_ref(), page.slice()).await;
    let roles = roles.map_err(ApiError::from_search)?;
    page.answer(total, roles.into_iter().map(IntoView::<RoleView>::into_view).collect())
}

/// Gives roles to a user; those that they hold already are no error.
#[utoipa::path(
    post, path = "/api/users/{userId}/roles", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = RoleIds,
    responses(
        (status = 201, description = "The roles asked for, and which of them are new", body = AssignedRoles),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user or role", body = ApiErrorBody),
        (status = 422, description = "A role is not for users", body = ApiErrorBody),
    ),
)]
pub(super) async fn assign_user_roles(
    management: Management<Recent<RolesWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<RoleIds>,
) -> Result<(StatusCode, Json<AssignedRoles>), ApiError> {
    let mut tx = management.begin().await?;
    super::find(&mut tx, &id).await?;
    console_roles::check_given(&management, body.role_ids.as_slice())?;
    check(&mut tx, &body.role_ids).await?;
    let added = roles::assign_all_to_user(&mut tx, &id, body.role_ids.as_slice()).await;
    let added = added.map_err(|error| ApiError::from_write(error, "role"))?;
    let details = json!({ "userId": id, "addedRoleIds": added });
    tx.audit(AuditKey::ManagementUserAssignRoles, details).await?;
    let event = Event::new(EventType::UserRolesUpdated, StatusCode::CREATED);
    tx.emit(&event.of("userId", &id).ids("addedRoleIds", &added)).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(assigned_roles(&body.role_ids, added))))
}

/// Lets a user hold these roles and no other.
#[utoipa::path(
    put, path = "/api/users/{userId}/roles", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = RoleIds,
    responses(
        (status = 200, description = "The roles", body = RoleIds),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user or role", body = ApiErrorBody),
        (status = 422, description = "A role is not for users", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_user_roles(
    management: Management<Recent<RolesWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<RoleIds>,
) -> Result<Json<RoleIds>, ApiError> {
    let mut tx = management.begin().await?;
    super::find(&mut tx, &id).await?;
    console_roles::check_replaced(&management, &mut tx, &id, body.role_ids.as_slice()).await?;
    check(&mut tx, &body.role_ids).await?;
    let changes = roles::holders::replace_of_user(&mut tx, &id, body.role_ids.as_slice()).await;
    let changes = changes.map_err(|error| ApiError::from_write(error, "role"))?;
    let details = json!({ "userId": id, "roleIds": body.role_ids.as_slice() });
    tx.audit(AuditKey::ManagementUserReplaceRoles, details).await?;
    let event = Event::new(EventType::UserRolesUpdated, StatusCode::OK).of("userId", &id);
    tx.emit(&event.ids("addedRoleIds", &changes.added).ids("removedRoleIds", &changes.removed)).await?;
    tx.commit().await?;
    Ok(Json(body))
}

/// Takes a role from a user.
#[utoipa::path(
    delete, path = "/api/users/{userId}/roles/{roleId}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("roleId" = String, Path, description = "The role")),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The user does not hold this role", body = ApiErrorBody),
        (status = 422, description = "The user is the last who administers the server", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_user_role(
    management: Management<Recent<RolesWrite>>,
    IdPair(id, role_id): IdPair<UserId, RoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    console_roles::check_taken(&management, &mut tx, &id, &role_id).await?;
    if !roles::holders::take_from_user(&mut tx, &id, &role_id).await? {
        return Err(ApiError::nothing_to_delete("role of the user", &role_id));
    }
    let details = json!({ "userId": id, "roleId": role_id });
    tx.audit(AuditKey::ManagementUserRemoveRole, details).await?;
    let event = Event::new(EventType::UserRolesUpdated, StatusCode::NO_CONTENT);
    tx.emit(&event.of("userId", &id).ids("removedRoleIds", &[role_id])).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Refuses roles that do not exist, or are not for users.
async fn check(tx: &mut Tx, role_ids: &IdList<RoleId, 0>) -> Result<(), ApiError> {
    let found = roles::find_all(tx, role_ids.as_slice()).await?;
    if found.len() < role_ids.as_slice().len() {
        return Err(ApiError::unknown_relation("role"));
    }
    if found.iter().any(|role| role.kind != RoleType::User) {
        let message = "Only roles for users can be given to a user.";
        return Err(ApiError::new(ApiCode::UserInvalidRoleType, message));
    }
    Ok(())
}
