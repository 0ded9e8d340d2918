//! `GET /api/plugins`.

use super::PluginView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::PluginsRead;
use claimsmith_services::plugins::Origin;
use claimsmith_storage::plugins;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use std::collections::BTreeMap;

/// Lists all plugins, those of the folder and those that were uploaded, in the order in which they run.
#[utoipa::path(
    get, path = "/api/plugins", tag = "Plugins", summary = "List plugins",
    responses((status = 200, description = "The plugins", body = Vec<PluginView>), AccessRefused),
)]
pub(super) async fn list_plugins(management: Management<PluginsRead>) -> Result<Json<Vec<PluginView>>, ApiError> {
    let mut tx = management.read().await?;
    let rows = plugins::all(&mut tx).await?;
    let active = plugins::versions::active(&mut tx).await?;
    let mut versions: BTreeMap<_, _> = active.into_iter().map(|v| (v.plugin_name.clone(), v)).collect();
    let mut rows: BTreeMap<_, _> = rows.into_iter().map(|row| (row.name.clone(), row)).collect();
    let mut views = Vec::new();
    for status in management.app.plugins.list() {
        let version = versions.remove(&*status.name);
        match rows.remove(&*status.name) {
            Some(row) => views.push(PluginView::of_store(&management, Some(status), row, version)),
            None if status.source == Origin::Folder => views.push(PluginView::of_folder(&management, status)),
            // Deleted meanwhile.
            None => {}
        }
    }
    // Uploaded meanwhile on another node.
    views.extend(rows.into_values().map(|row| PluginView::of_store(&management, None, row, None)));
    Ok(Json(views))
}
