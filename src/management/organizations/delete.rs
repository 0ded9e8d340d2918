//! `DELETE /api/organizations/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an organization with its memberships and invitations. No more tokens are issued for it.
#[utoipa::path(
    delete, path = "/api/organizations/{id}", tag = "Organizations", summary = "Delete an organization",
    params(("id" = String, Path, description = "The organization")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    if !organizations::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization", &id));
    }
    tx.audit(AuditKey::ManagementOrganizationDelete, json!({ "organizationId": id })).await?;
    tx.emit(&Event::new(EventType::OrganizationDeleted, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
