//! `DELETE /api/roles/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::RoleId;
use claimsmith_domain::management::RolesWrite;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_services::webhooks::Event;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes a role; users and applications lose it.
#[utoipa::path(
    delete, path = "/api/roles/{id}", tag = "Roles", summary = "Delete a role",
    params(("id" = String, Path, description = "The role")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
        (status = 422, description = "It is what makes the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_role(
    management: Management<RolesWrite>,
    Id(id): Id<RoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Role(&id)).await?;
    let role = roles::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_delete("role", &id))?;
    super::refuse_internal(&role.name)?;
    privilege_guard::check_role(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    roles::delete(&mut tx, &id).await?;
    administered.check(&management, &mut tx).await?;
    tx.audit(AuditKey::ManagementRoleDelete, json!({ "roleId": id })).await?;
    tx.emit(&Event::new(EventType::RoleDeleted, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
