//! `GET /api/plugins/{name}`.

use super::PluginView;
use super::view::{ShownPlugin, tagged};
use crate::refusals::{AccessRefused, NotThere};
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::management::PluginsRead;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

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
