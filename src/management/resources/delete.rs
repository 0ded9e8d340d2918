//! `DELETE /api/resources/{id}`.

use super::protect;
use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::ResourceId;
use claimsmith_domain::management::ResourcesWrite;
use claimsmith_identity::access::built_in;
use claimsmith_storage::resources;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes a resource with its scopes. Tokens that were issued for it live on until they expire.
#[utoipa::path(
    delete, path = "/api/resources/{id}", tag = "Resources", summary = "Delete a resource",
    params(("id" = String, Path, description = "The resource")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The resource is the Management API", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
        (status = 422, description = "It is the console's resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_resource(
    management: Management<ResourcesWrite>,
    Id(id): Id<ResourceId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::All).await?;
    let resource = resources::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_delete("resource", &id))?;
    built_in::refuse_resource(&id)?;
    if protect::is_management(&management, &resource) {
        let message = "The Management API's own resource cannot be deleted.";
        return Err(ApiError::new(ApiCode::ResourceCannotDeleteManagementApi, message));
    }
    resources::delete(&mut tx, &id).await?;
    tx.audit(AuditKey::ManagementResourceDelete, json!({ "resourceId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
