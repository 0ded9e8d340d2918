//! `DELETE /api/sso-connectors/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::management::Everything;
use claimsmith_storage::connectors::sso_connectors;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an enterprise connector, with the identities at it. Its users stay.
#[utoipa::path(
    delete, path = "/api/sso-connectors/{id}", tag = "SSO connectors", summary = "Delete an SSO connector",
    params(("id" = String, Path, description = "The connector")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_sso_connector(
    management: Management<Everything>,
    Id(id): Id<SsoConnectorId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !sso_connectors::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("SSO connector", &id));
    }
    tx.audit(AuditKey::ManagementSsoConnectorDelete, json!({ "ssoConnectorId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
