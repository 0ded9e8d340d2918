//! `DELETE /api/organization-roles/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an organization role; members lose it.
#[utoipa::path(
    delete, path = "/api/organization-roles/{id}", tag = "Organization roles",
    summary = "Delete an organization role",
    params(("id" = String, Path, description = "The organization role")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization_role(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    if !organizations::roles::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization role", &id));
    }
    let details = json!({ "organizationRoleId": id });
    tx.audit(AuditKey::ManagementOrganizationRoleDelete, details).await?;
    let event = Event::new(EventType::OrganizationRoleDeleted, StatusCode::NO_CONTENT);
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
