//! `DELETE /api/hooks/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::HooksWrite;
use claimsmith_storage::hooks;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes a hook with all that it was still to be told.
#[utoipa::path(
    delete, path = "/api/hooks/{id}", tag = "Hooks", summary = "Delete a hook",
    params(("id" = String, Path, description = "The hook")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_hook(
    management: Management<HooksWrite>,
    Id(id): Id<HookId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !hooks::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("hook", &id));
    }
    tx.audit(AuditKey::ManagementHookDelete, json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
