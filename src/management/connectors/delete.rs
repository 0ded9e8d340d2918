//! `DELETE /api/connectors/{id}`.

use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::ConnectorId;
use claimsmith_domain::management::Everything;
use claimsmith_storage::connectors;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes a connector. Its target is not offered at sign-in any more, unless another connector has it. Messages that
/// wait for it are sent by the next connector of its type, if there is one in time.
#[utoipa::path(
    delete, path = "/api/connectors/{id}", tag = "Connectors", summary = "Delete a connector",
    params(("id" = String, Path, description = "The connector")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_connector(
    management: Management<Everything>,
    Id(id): Id<ConnectorId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let mut settings = EXPERIENCE.lock(&mut tx).await?;
    let found = connectors::find(&mut tx, &id).await?;
    let connector = found.ok_or_else(|| ApiError::nothing_to_delete("connector", &id))?;
    connectors::delete(&mut tx, &id).await?;
    let target = connector.target.as_str();
    let is_offered = settings.social_sign_in_connector_targets.iter().any(|offered| offered.as_str() == target);
    if is_offered && connectors::list(&mut tx, Some(target)).await?.is_empty() {
        settings.social_sign_in_connector_targets.retain(|offered| offered.as_str() != target);
        EXPERIENCE.put(&mut tx, &settings).await?;
    }
    let details = json!({ "connectorId": id, "factoryId": connector.connector_id });
    tx.audit(AuditKey::ManagementConnectorDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
