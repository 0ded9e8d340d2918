//! `/api/plugins/test` is the route for testing drafts, so no plugin may be called `test`: its other routes answer as
//! for an invalid plugin name. A file of that name in the plugin folder is shown with an error.

use super::change::refuse_folder;
use super::upload::check_name;
use super::view;
use axum::Json;
use axum::http::StatusCode;
use axum::routing::MethodRouter;
use claimsmith_api::plugins::PluginView;
use claimsmith_domain::management::{PluginsRead, PluginsWrite};
use claimsmith_services::app::App;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use claimsmith_web::routing::{delete, get, patch, put};

/// The path.
pub(super) const PATH: &str = "/api/plugins/test";
const NAME: &str = "test";

/// The other methods of this path.
pub(super) fn methods() -> MethodRouter<App> {
    get(show).merge(put(upload)).merge(delete(change)).merge(patch(change))
}

async fn show(management: Management<PluginsRead>) -> Result<Json<PluginView>, ApiError> {
    let found = view::find(&management, NAME).await?;
    found.map(|(view, _)| Json(view)).ok_or_else(|| ApiError::not_found("plugin", NAME))
}

async fn upload(_: Management<PluginsWrite>) -> Result<StatusCode, ApiError> {
    check_name(NAME)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn change(management: Management<PluginsWrite>) -> Result<StatusCode, ApiError> {
    refuse_folder(&management, NAME)?;
    Err(ApiError::nothing_to_change("plugin", NAME))
}
