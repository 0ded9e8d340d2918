//! `DELETE /api/plugins/{name}`.

use super::change::{IfMatch, PluginChange, publish};
use crate::refusals::{AccessRefused, NotChanged, NotThere};
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::PluginsWrite;
use claimsmith_storage::plugins;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes an uploaded plugin with its versions and secrets. Tokens are issued without it from then on.
#[utoipa::path(
    delete, path = "/api/plugins/{name}", tag = "Plugins", summary = "Delete a plugin",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn delete_plugin(
    management: Management<PluginsWrite>,
    Id(name): Id,
    seen: IfMatch,
) -> Result<StatusCode, ApiError> {
    let PluginChange { mut tx, .. } = PluginChange::begin(&management, &name, &seen).await?;
    if !plugins::delete(&mut tx, &name).await? {
        return Err(ApiError::nothing_to_delete("plugin", &name));
    }
    tx.audit(AuditKey::ManagementPluginDelete, json!({ "plugin": name })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}
