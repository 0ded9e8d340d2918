//! `GET /api/status`: readiness.

use axum::extract::State;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_services::app::App;
use claimsmith_web::error::{ApiError, ApiErrorBody, RETRY_AFTER_SECONDS};

/// Answers 204 as soon as every mandatory plugin has loaded or was refused, as long as the database answers; public.
#[utoipa::path(
    get, path = "/api/status", tag = "Status",
    responses(
        (status = 204, description = "Ready"),
        (
            status = 503, body = ApiErrorBody,
            description = "Mandatory plugins are still being loaded, or the database does not answer; `message` says which",
        ),
    ),
)]
pub async fn show_status(State(app): State<App>) -> Result<StatusCode, ApiError> {
    let are_plugins_ready = app.plugins.ready();
    if are_plugins_ready && app.db.is_there().await {
        return Ok(StatusCode::NO_CONTENT);
    }
    let reason = if are_plugins_ready {
        "The database does not answer.".to_owned()
    } else {
        plugins_missing(app.plugins.count_missing())
    };
    Err(ApiError::unavailable(ApiCode::ServerNotReady, reason, RETRY_AFTER_SECONDS))
}

/// Why the plugins are not ready. Anyone may read it: their names are in the log only.
fn plugins_missing(count: Option<usize>) -> String {
    match count {
        None => "The server has just started: it has not read which plugins there are.".to_owned(),
        Some(0) => "The plugins are no longer followed: restart the server.".to_owned(),
        Some(1) => "The server has just started: 1 mandatory plugin is not loaded yet.".to_owned(),
        Some(count) => format!("The server has just started: {count} mandatory plugins are not loaded yet."),
    }
}
