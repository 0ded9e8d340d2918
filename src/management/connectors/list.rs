//! `GET /api/connectors` and `GET /api/connectors/{id}`.

use super::view::ConnectorView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::id::ConnectorId;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::connectors;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;

/// Lists connectors, the oldest first.
#[utoipa::path(
    get, path = "/api/connectors", tag = "Connectors", summary = "List connectors",
    params(("target" = Option<String>, Query, description = "Those with this target alone")),
    responses(
        (status = 200, description = "The connectors", body = Vec<ConnectorView>),
        (status = 400, description = "The target is given twice or too long", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_connectors(
    management: Management<ConfigsRead>,
    query: Query,
) -> Result<Json<Vec<ConnectorView>>, ApiError> {
    let all = connectors::list(&mut management.read().await?, query.one("target")?).await?;
    let view = |connector| ConnectorView::of(&management, connector);
    Ok(Json(all.into_iter().map(view).collect()))
}

/// Shows a connector. Secrets of its configuration are hidden.
#[utoipa::path(
    get, path = "/api/connectors/{id}", tag = "Connectors", summary = "Show a connector",
    params(("id" = String, Path, description = "The connector")),
    responses(
        (status = 200, description = "The connector", body = ConnectorView),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_connector(
    management: Management<ConfigsRead>,
    Id(id): Id<ConnectorId>,
) -> Result<Json<ConnectorView>, ApiError> {
    let found = connectors::find(&mut management.read().await?, &id).await?;
    let found = found.ok_or_else(|| ApiError::not_found("connector", &id))?;
    Ok(Json(ConnectorView::of(&management, found)))
}
