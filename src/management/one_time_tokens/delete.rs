//! `DELETE /api/one-time-tokens/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::UsersWrite;
use claimsmith_storage::verification::one_time_tokens;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes a one-time token.
#[utoipa::path(
    delete, path = "/api/one-time-tokens/{id}", tag = "One-time tokens", summary = "Delete a one-time token",
    params(("id" = String, Path, description = "The token's id")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_one_time_token(
    management: Management<UsersWrite>,
    Id(id): Id<String>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !one_time_tokens::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("one-time token", &id));
    }
    tx.audit(AuditKey::ManagementOneTimeTokenDelete, json!({ "oneTimeTokenId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
