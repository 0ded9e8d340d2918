//! `DELETE /api/organization-scopes/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationScopeId;
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an organization scope; no role carries it any more.
#[utoipa::path(
    delete, path = "/api/organization-scopes/{id}", tag = "Organization scopes",
    summary = "Delete an organization scope",
    params(("id" = String, Path, description = "The organization scope")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization_scope(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationScopeId>,
) -> Result<StatusCode, ApiError> {
    // `Changed::Nothing`: deleting the scope records the roles that had it as changed.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    if !organizations::scopes::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization scope", &id));
    }
    let details = json!({ "organizationScopeId": id });
    tx.audit(AuditKey::ManagementOrganizationScopeDelete, details).await?;
    let event = Event::new(EventType::OrganizationScopeDeleted, StatusCode::NO_CONTENT);
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
