//! `/api/applications/{id}/roles`: machine-to-machine applications alone hold roles.

use crate::domain::application::ApplicationType;
use crate::domain::role::RoleType;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::json::JsonBody;
use crate::http::extract::management::Caller;
use crate::http::extract::page::Page;
use crate::http::management::grants;
use crate::http::management::refusals::{BodyRefused, Refused};
use crate::http::management::roles::{AssignedRoles, RoleIds, RoleView};
use crate::storage::{Tx, applications, role_holders, roles};
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

/// Lists the roles of a machine-to-machine application.
#[utoipa::path(
    get, path = "/api/applications/{id}/roles", tag = "Applications", summary = "List the roles of an application",
    params(
        ("id" = String, Path, description = "The application"),
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100, 20 when not given"),
    ),
    responses(
        (status = 200, description = "The page", body = Vec<RoleView>),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "The application is not a machine-to-machine one", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "applications:read"])),
)]
pub(super) async fn list_application_roles(caller: Caller, Id(id): Id, page: Page) -> Result<Response, ApiError> {
    let management = caller.require("applications:read")?;
    let mut tx = management.read().await?;
    refuse_other_types(&mut tx, &id).await?;
    let total = role_holders::count_of_application(&mut tx, &id).await?;
    let roles = role_holders::list_of_application(&mut tx, &id, page.slice()).await?;
    page.answer(total, roles.into_iter().map(RoleView::from).collect())
}

/// Gives roles to a machine-to-machine application; those that it holds already are no error.
#[utoipa::path(
    post, path = "/api/applications/{id}/roles", tag = "Applications", summary = "Give roles to an application",
    params(("id" = String, Path, description = "The application")),
    request_body = RoleIds,
    responses(
        (status = 201, description = "The roles asked for, and which of them are new", body = AssignedRoles),
        BodyRefused, Refused,
        (status = 404, description = "No such application or role", body = ApiErrorBody),
        (status = 422, description = "The application or a role is not for machines", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "roles:write"])),
)]
pub(super) async fn assign_application_roles(
    caller: Caller,
    Id(id): Id,
    JsonBody(body): JsonBody<RoleIds>,
) -> Result<(StatusCode, Json<AssignedRoles>), ApiError> {
    let management = caller.require("roles:write")?;
    let role_ids = body.role_ids.as_slice();
    let mut tx = management.begin_revision().await?;
    refuse_other_types(&mut tx, &id).await?;
    let found = roles::find_all(&mut tx, role_ids).await?;
    if found.len() < role_ids.len() {
        return Err(ApiError::unknown_relation("role"));
    }
    if found.iter().any(|role| role.kind != RoleType::MachineToMachine.as_str()) {
        let message = "Only roles for machine-to-machine applications can be given to an application.";
        return Err(ApiError::unprocessable("application.invalid_role_type", message));
    }
    let mut added = Vec::new();
    for role_id in role_ids {
        grants::check_role(&management, &mut tx, role_id).await?;
        let is_new = roles::assign_to_application(&mut tx, &id, role_id).await;
        if is_new.map_err(|error| ApiError::from_write(error, "role"))? {
            added.push(role_id.clone());
        }
    }
    let details = json!({ "changedApplicationId": id, "addedRoleIds": added });
    management.audit(&mut tx, "Management.Application.AssignRoles", details).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(AssignedRoles::new(&body.role_ids, added))))
}

async fn refuse_other_types(tx: &mut Tx, id: &str) -> Result<(), ApiError> {
    let application = applications::find(tx, id).await?.ok_or_else(|| ApiError::not_found("application", id))?;
    if application.kind != ApplicationType::MachineToMachine.as_str() {
        let message = "Only machine-to-machine applications hold roles.";
        return Err(ApiError::unprocessable("application.invalid_type", message));
    }
    Ok(())
}
