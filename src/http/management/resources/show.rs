//! `GET /api/resources/{id}`.

use super::ResourceView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::resources;
use axum::Json;

/// Shows a resource.
#[utoipa::path(
    get, path = "/api/resources/{id}", tag = "Resources", summary = "Show a resource",
    params(("id" = String, Path, description = "The resource")),
    responses(
        (status = 200, description = "The resource", body = ResourceView),
        Refused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "resources:read"])),
)]
pub(super) async fn show_resource(caller: Caller, Id(id): Id) -> Result<Json<ResourceView>, ApiError> {
    let management = caller.require("resources:read")?;
    let resource = resources::find(&mut management.read().await?, &id).await?;
    Ok(Json(resource.ok_or_else(|| ApiError::not_found("resource", &id))?.into()))
}
