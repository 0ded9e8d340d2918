//! `GET /api/resources/{id}`.

use super::view::ResourceView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::id::ResourceId;
use claimsmith_domain::management::ResourcesRead;
use claimsmith_storage::resources;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows a resource.
#[utoipa::path(
    get, path = "/api/resources/{id}", tag = "Resources", summary = "Show a resource",
    params(("id" = String, Path, description = "The resource")),
    responses(
        (status = 200, description = "The resource", body = ResourceView),
        AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_resource(
    management: Management<ResourcesRead>,
    Id(id): Id<ResourceId>,
) -> Result<Json<ResourceView>, ApiError> {
    let resource = resources::find(&mut management.read().await?, &id).await?;
    Ok(Json(resource.ok_or_else(|| ApiError::not_found("resource", &id))?.into()))
}
