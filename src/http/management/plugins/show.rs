//! `GET /api/plugins/{name}`.

use super::PluginView;
use super::view::{ShownPlugin, tagged};
use crate::domain::management::PluginsRead;
use crate::http::error::ApiError;
use crate::http::extract::ids::Id;
use crate::http::extract::management::Management;
use crate::http::management::refusals::{AccessRefused, NotThere};
use axum::http::StatusCode;
use axum::response::Response;

/// Shows a plugin. Its `ETag` is what `If-Match` of a change is held against.
#[utoipa::path(
    get, path = "/api/plugins/{name}", tag = "Plugins", summary = "Show a plugin",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        ShownPlugin,
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn show_plugin(management: Management<PluginsRead>, Id(name): Id) -> Result<Response, ApiError> {
    let found = PluginView::find(&management, &name).await?;
    let (view, tag) = found.ok_or_else(|| ApiError::not_found("plugin", &name))?;
    Ok(tagged(StatusCode::OK, &tag, view))
}
