//! `DELETE /api/impersonations/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::SubjectTokensWrite;
use claimsmith_storage::issuing::{impersonations, issuances};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Ends an impersonation: its token is revoked, and everybody who asks this server hears so. A resource server that
/// does not ask believes a JWT until it expires. Ending one that is over changes nothing.
#[utoipa::path(
    delete, path = "/api/impersonations/{id}", tag = "Impersonations", summary = "End an impersonation",
    params(("id" = String, Path, description = "The token's `jti`")),
    responses(
        (status = 204, description = "Over"),
        AccessRefused,
        (status = 404, description = "No such impersonation", body = ApiErrorBody),
    ),
)]
pub(super) async fn end_impersonation(
    management: Management<SubjectTokensWrite>,
    Id(id): Id,
) -> Result<StatusCode, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    let found = impersonations::find(&mut tx, &id).await?;
    let found = found.ok_or_else(|| ApiError::nothing_to_delete("impersonation", &id))?;
    if found.expires_at > now && issuances::revoke(&mut tx, &id, now).await? {
        let details = json!({
            "userId": found.user_id, "actorId": found.actor_id, "jti": id,
            "impersonatingApplicationId": found.application_id, "context": found.context,
        });
        tx.audit(AuditKey::ManagementImpersonationEnd, details).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
