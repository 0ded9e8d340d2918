//! `/api/roles/{id}/users` and `/api/roles/{id}/applications`: who holds a role.

use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::IntoView;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::roles::{AssignToApplications, AssignToUsers};
use claimsmith_api::users::UserView;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ApplicationId, RoleId, UserId};
use claimsmith_domain::management::{ApplicationsRead, Recent, RolesWrite, UsersRead};
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_identity::access::{built_in, console_roles};
use claimsmith_identity::accounts::user_view;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{applications, roles, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde_json::json;

/// Lists the users who hold a role, by their ids.
#[utoipa::path(
    get, path = "/api/roles/{id}/users", tag = "Roles",
    params(("id" = String, Path, description = "The role"), SearchParameters, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<UserView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NotSearchable,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_role_users(
    management: Management<UsersRead>,
    Id(id): Id<RoleId>,
    page: Page,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let search = search::parse(query.as_deref(), &users::list::FIELDS)?;
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let total = roles::holders::count_users(&mut tx, &id, search.as_ref()).await.map_err(ApiError::from_search)?;
    let found = roles::holders::list_users(&mut tx, &id, search.as_ref(), page.slice()).await;
    let found = found.map_err(ApiError::from_search)?;
    page.answer(total, found.into_iter().map(user_view).collect())
}

/// Gives a role to users.
#[utoipa::path(
    post, path = "/api/roles/{id}/users", tag = "Roles",
    params(("id" = String, Path, description = "The role")),
    request_body = AssignToUsers,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role or user", body = ApiErrorBody),
        (status = 422, description = "The role is not for users, or one of them holds it already", body = ApiErrorBody),
    ),
)]
pub(super) async fn assign_role_to_users(
    management: Management<Recent<RolesWrite>>,
    Id(id): Id<RoleId>,
    JsonBody(body): JsonBody<AssignToUsers>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    console_roles::check_given(&management, std::slice::from_ref(&id))?;
    if super::find(&mut tx, &id).await?.kind != RoleType::User {
        return Err(ApiError::new(ApiCode::EntityDbConstraintViolated, "The role is not for users."));
    }
    let added = roles::assign_to_users(&mut tx, &id, body.user_ids.as_slice()).await;
    let added = added.map_err(|error| ApiError::from_write(error, "user"))?;
    if let Some(user_id) = body.user_ids.as_slice().iter().find(|user_id| !added.contains(user_id)) {
        let message = format!("The user {user_id:?} holds the role already.");
        return Err(ApiError::new(ApiCode::RoleUserExists, message));
    }
    let details = json!({ "roleId": id, "userIds": body.user_ids.as_slice() });
    tx.audit(AuditKey::ManagementRoleAssignToUsers, details).await?;
    let event = |user_id: &UserId| Event::new(EventType::UserRolesUpdated, StatusCode::CREATED).of("userId", user_id);
    let events = added.iter().map(|user_id| event(user_id).ids("addedRoleIds", std::slice::from_ref(&id)));
    tx.emit_each(&events.collect::<Vec<_>>()).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}

/// Takes a role from a user.
#[utoipa::path(
    delete, path = "/api/roles/{id}/users/{userId}", tag = "Roles",
    params(("id" = String, Path, description = "The role"), ("userId" = String, Path, description = "The user")),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The user does not hold this role", body = ApiErrorBody),
        (status = 422, description = "The user is the last who administers the server", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_role_from_user(
    management: Management<Recent<RolesWrite>>,
    IdPair(id, user_id): IdPair<RoleId, UserId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    console_roles::check_taken(&management, &mut tx, &user_id, &id).await?;
    if !roles::holders::take_from_user(&mut tx, &user_id, &id).await? {
        return Err(ApiError::nothing_to_delete("user of the role", &user_id));
    }
    let details = json!({ "roleId": id, "userId": user_id });
    tx.audit(AuditKey::ManagementRoleRemoveFromUser, details).await?;
    let event = Event::new(EventType::UserRolesUpdated, StatusCode::NO_CONTENT);
    tx.emit(&event.of("userId", &user_id).ids("removedRoleIds", &[id])).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the applications that hold a role, newest first.
#[utoipa::path(
    get, path = "/api/roles/{id}/applications", tag = "Roles",
    params(("id" = String, Path, description = "The role"), SearchParameters, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<ApplicationView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NotSearchable,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_role_applications(
    management: Management<ApplicationsRead>,
    Id(id): Id<RoleId>,
    page: Page,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let search = search::parse(query.as_deref(), &applications::FIELDS)?;
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let total =
        roles::holders::count_applications(&mut tx, &id, search.as_ref()).await.map_err(ApiError::from_search)?;
    let found = roles::holders::list_applications(&mut tx, &id, search.as_ref(), page.slice()).await;
    let found = found.map_err(ApiError::from_search)?;
    page.answer(total, found.into_iter().map(IntoView::<ApplicationView>::into_view).collect())
}

/// Gives a role to machine-to-machine applications.
#[utoipa::path(
    post, path = "/api/roles/{id}/applications", tag = "Roles",
    params(("id" = String, Path, description = "The role")),
    request_body = AssignToApplications,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role or application", body = ApiErrorBody),
        (status = 422, description = "The role or an application is not for machines, or one of them holds it already",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn assign_role_to_applications(
    management: Management<Recent<RolesWrite>>,
    Id(id): Id<RoleId>,
    JsonBody(body): JsonBody<AssignToApplications>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    built_in::refuse_role(&id)?;
    if super::find(&mut tx, &id).await?.kind != RoleType::MachineToMachine {
        return Err(ApiError::new(ApiCode::ApplicationInvalidRoleType, "The role is not for applications."));
    }
    privilege_guard::check_role(&management, &mut tx, &id).await?;
    let application_ids = body.application_ids.as_slice();
    let kinds = applications::kinds(&mut tx, application_ids).await?;
    if kinds.len() < application_ids.len() {
        return Err(ApiError::unknown_relation("application"));
    }
    if kinds.values().any(|kind| *kind != ApplicationType::MachineToMachine) {
        let message = "Only machine-to-machine applications hold roles.";
        return Err(ApiError::new(ApiCode::ApplicationInvalidType, message));
    }
    let added = roles::assign_to_applications(&mut tx, &id, application_ids).await?;
    if let Some(holder) = application_ids.iter().find(|id| added.binary_search(id).is_err()) {
        let message = format!("The application {holder:?} holds the role already.");
        return Err(ApiError::new(ApiCode::RoleApplicationExists, message));
    }
    let details = json!({ "roleId": id, "applicationIds": application_ids });
    tx.audit(AuditKey::ManagementRoleAssignToApplications, details).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}

/// Takes a role from an application.
#[utoipa::path(
    delete, path = "/api/roles/{id}/applications/{applicationId}", tag = "Roles",
    params(
        ("id" = String, Path, description = "The role"),
        ("applicationId" = String, Path, description = "The application"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "The application does not hold this role", body = ApiErrorBody),
        (status = 422, description = "The application is the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_role_from_application(
    management: Management<Recent<RolesWrite>>,
    IdPair(id, application_id): IdPair<RoleId, ApplicationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&application_id)).await?;
    privilege_guard::check_role(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if !roles::holders::take_from_application(&mut tx, &application_id, &id).await? {
        return Err(ApiError::nothing_to_delete("application of the role", &application_id));
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "roleId": id, "changedApplicationId": application_id });
    tx.audit(AuditKey::ManagementRoleRemoveFromApplication, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
