//! `GET /api/status`: readiness.

use axum::extract::State;
use axum::http::StatusCode;
use claimsmith_services::app::App;

/// Answers 204 from when plugins are live; public.
#[utoipa::path(
    get, path = "/api/status", tag = "Status",
    responses(
        (status = 204, description = "Ready"),
        (status = 503, description = "Plugins are still being loaded, or the database does not answer"),
    ),
)]
pub async fn show_status(State(app): State<App>) -> StatusCode {
    if app.plugins.ready() && app.db.is_there().await {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    }
}
