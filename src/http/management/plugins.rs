//! `GET /api/plugins`: which plugins there are, and how they are.

use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::management::Caller;
use crate::plugins::PluginStatus;
use axum::Json;

/// Lists the plugins in the order in which they run.
#[utoipa::path(
    get, path = "/api/plugins", tag = "Plugins", summary = "List plugins",
    responses(
        (status = 200, description = "The plugins", body = Vec<PluginStatus>),
        (status = 401, description = "No valid access token", body = ApiErrorBody),
        (status = 403, description = "Without the scope", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "plugins:read"])),
)]
pub async fn list_plugins(caller: Caller) -> Result<Json<Vec<PluginStatus>>, ApiError> {
    let management = caller.require("plugins:read")?;
    Ok(Json(management.app.plugins.list()))
}
