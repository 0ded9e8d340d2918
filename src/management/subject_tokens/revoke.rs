//! `DELETE /api/subject-tokens/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::SubjectTokenId;
use claimsmith_domain::management::SubjectTokensWrite;
use claimsmith_storage::issuing::subject_tokens;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Revokes a live subject token: it cannot be exchanged any more. What came of an exchange is an impersonation, which
/// is ended under `/api/impersonations`.
#[utoipa::path(
    delete, path = "/api/subject-tokens/{id}", tag = "Subject tokens", summary = "Revoke a subject token",
    params(("id" = String, Path, description = "The subject token's id; not the token")),
    responses(
        (status = 204, description = "Revoked"),
        AccessRefused,
        (status = 404, description = "No such subject token, or it is not live", body = ApiErrorBody),
    ),
)]
pub(super) async fn revoke_subject_token(
    management: Management<SubjectTokensWrite>,
    Id(id): Id<SubjectTokenId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let revoked = subject_tokens::revoke(&mut tx, &id, management.now()).await?;
    let token = revoked.ok_or_else(|| ApiError::nothing_to_delete("live subject token", &id))?;
    let details = json!({ "userId": token.user_id, "subjectTokenId": id, "context": *token.context.value });
    tx.audit(AuditKey::ManagementSubjectTokenRevoke, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
