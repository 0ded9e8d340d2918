//! `GET /api/connector-factories` and `GET /api/connector-factories/{id}`.

use super::view::FactoryView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::connector::{factories, factory};
use claimsmith_domain::management::ConfigsRead;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Lists what connectors can be made of.
#[utoipa::path(
    get, path = "/api/connector-factories", tag = "Connectors", summary = "List connector factories",
    responses(
        (status = 200, description = "The factories", body = Vec<FactoryView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_connector_factories(_: Management<ConfigsRead>) -> Json<Vec<FactoryView>> {
    Json(factories().map(FactoryView::from).collect())
}

/// Shows what connectors can be made of.
#[utoipa::path(
    get, path = "/api/connector-factories/{id}", tag = "Connectors", summary = "Show a connector factory",
    params(("id" = String, Path, description = "The factory, such as `smtp`")),
    responses(
        (status = 200, description = "The factory", body = FactoryView),
        AccessRefused,
        (status = 404, description = "No such factory", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_connector_factory(
    _: Management<ConfigsRead>,
    Id(id): Id,
) -> Result<Json<FactoryView>, ApiError> {
    let found = factory(&id).ok_or_else(|| ApiError::not_found("connector factory", &id))?;
    Ok(Json(found.into()))
}
