//! `DELETE /api/applications/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::ApplicationsWrite;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_storage::applications;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an application with its secrets. Its tokens are refused from now on.
#[utoipa::path(
    delete, path = "/api/applications/{id}", tag = "Applications", summary = "Delete an application",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "It is the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_application(
    management: Management<ApplicationsWrite>,
    Id(id): Id<ApplicationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if !applications::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("application", &id));
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "deletedApplicationId": id });
    tx.audit(AuditKey::ManagementApplicationDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
