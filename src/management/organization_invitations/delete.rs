//! `DELETE /api/organization-invitations/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::InvitationId;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_services::messages;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an invitation. Who accepted it stays a member.
#[utoipa::path(
    delete, path = "/api/organization-invitations/{id}", tag = "Organization invitations",
    summary = "Delete an invitation to an organization",
    params(("id" = String, Path, description = "The invitation")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such invitation", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization_invitation(
    management: Management<OrganizationsWrite>,
    Id(id): Id<InvitationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !organizations::invitations::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization invitation", &id));
    }
    let now = tx.now();
    messages::withdraw(&mut tx, &id, now).await?;
    let details = json!({ "organizationInvitationId": id });
    tx.audit(AuditKey::ManagementOrganizationInvitationDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
