//! `DELETE /api/roles/{id}`.

use crate::domain::event::EventType;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::roles;
use crate::webhooks::Event;
use axum::http::StatusCode;
use serde_json::json;

/// Deletes a role; nobody holds it any more.
#[utoipa::path(
    delete, path = "/api/roles/{id}", tag = "Roles", summary = "Delete a role",
    params(("id" = String, Path, description = "The role")),
    responses(
        (status = 204, description = "Deleted"),
        Refused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "roles:write"])),
)]
pub(super) async fn delete_role(caller: Caller, Id(id): Id) -> Result<StatusCode, ApiError> {
    let management = caller.require("roles:write")?;
    let mut tx = management.begin_revision().await?;
    let role = roles::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_delete("role", &id))?;
    super::refuse_internal(&role.name)?;
    roles::delete(&mut tx, &id).await?;
    management.audit(&mut tx, "Management.Role.Delete", json!({ "roleId": id })).await?;
    management.emit(&mut tx, &Event::new(EventType::RoleDeleted, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
