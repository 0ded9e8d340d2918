//! `POST /api/roles/{id}/users` and `POST /api/roles/{id}/applications`: who is to hold a role.

use crate::domain::application::ApplicationType;
use crate::domain::id_list::IdList;
use crate::domain::role::RoleType;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::json::JsonBody;
use crate::http::extract::management::Caller;
use crate::http::management::grants;
use crate::http::management::refusals::{BodyRefused, Refused};
use crate::storage::roles::{self, Role};
use crate::storage::{Tx, applications};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;

/// Users for a role.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AssignToUsers {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    user_ids: IdList<1>,
}

/// Machine-to-machine applications for a role.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AssignToApplications {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    application_ids: IdList<1>,
}

/// Gives a role to users.
#[utoipa::path(
    post, path = "/api/roles/{id}/users", tag = "Roles", summary = "Give a role to users",
    params(("id" = String, Path, description = "The role")),
    request_body = AssignToUsers,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, Refused,
        (status = 404, description = "No such role or user", body = ApiErrorBody),
        (status = 422, description = "The role is not for users, or one of them holds it already", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "roles:write"])),
)]
pub(super) async fn assign_role_to_users(
    caller: Caller,
    Id(id): Id,
    JsonBody(body): JsonBody<AssignToUsers>,
) -> Result<StatusCode, ApiError> {
    let management = caller.require("roles:write")?;
    let mut tx = management.begin().await?;
    if find(&mut tx, &id).await?.kind != RoleType::User.as_str() {
        return Err(ApiError::unprocessable("user.invalid_role_type", "The role is not for users."));
    }
    for user_id in body.user_ids.as_slice() {
        let is_new = roles::assign_to_user(&mut tx, user_id, &id).await;
        if !is_new.map_err(|error| ApiError::from_write(error, "user"))? {
            let message = format!("The user {user_id:?} holds the role already.");
            return Err(ApiError::unprocessable("role.user_exists", message));
        }
    }
    let details = json!({ "roleId": id, "userIds": body.user_ids.as_slice() });
    management.audit(&mut tx, "Management.Role.AssignToUsers", details).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}

/// Gives a role to machine-to-machine applications.
#[utoipa::path(
    post, path = "/api/roles/{id}/applications", tag = "Roles", summary = "Give a role to applications",
    params(("id" = String, Path, description = "The role")),
    request_body = AssignToApplications,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, Refused,
        (status = 404, description = "No such role or application", body = ApiErrorBody),
        (status = 422, description = "The role or an application is not for machines, or one of them holds it already",
            body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "roles:write"])),
)]
pub(super) async fn assign_role_to_applications(
    caller: Caller,
    Id(id): Id,
    JsonBody(body): JsonBody<AssignToApplications>,
) -> Result<StatusCode, ApiError> {
    let management = caller.require("roles:write")?;
    let mut tx = management.begin_revision().await?;
    if find(&mut tx, &id).await?.kind != RoleType::MachineToMachine.as_str() {
        return Err(ApiError::unprocessable("application.invalid_role_type", "The role is not for applications."));
    }
    grants::check_role(&management, &mut tx, &id).await?;
    for application_id in body.application_ids.as_slice() {
        let application = applications::find(&mut tx, application_id).await?;
        let application = application.ok_or_else(|| ApiError::unknown_relation("application"))?;
        if application.kind != ApplicationType::MachineToMachine.as_str() {
            let message = "Only machine-to-machine applications hold roles.";
            return Err(ApiError::unprocessable("application.invalid_type", message));
        }
        if !roles::assign_to_application(&mut tx, application_id, &id).await? {
            let message = format!("The application {application_id:?} holds the role already.");
            return Err(ApiError::unprocessable("role.application_exists", message));
        }
    }
    let details = json!({ "roleId": id, "applicationIds": body.application_ids.as_slice() });
    management.audit(&mut tx, "Management.Role.AssignToApplications", details).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}

async fn find(tx: &mut Tx, id: &str) -> Result<Role, ApiError> {
    roles::find(tx, id).await?.ok_or_else(|| ApiError::not_found("role", id))
}
