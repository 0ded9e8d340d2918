//! `POST /hook-receivers/{token}`: receivers for testing webhooks, for any sender that knows the URL.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use claimsmith_services::app::App;
use claimsmith_services::webhooks::receivers::{FOLDER, MAX_BODY_BYTES};
use claimsmith_web::error::ApiError;
use claimsmith_web::routing::post;

/// The route of the receivers.
pub(crate) fn router() -> Router<App> {
    Router::new().route(&format!("{FOLDER}{{token}}"), post(receive))
}

/// Answers with the configured status, without a body.
async fn receive(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, ApiError> {
    let Ok(bytes) = to_bytes(body, MAX_BODY_BYTES).await else { return Ok(StatusCode::PAYLOAD_TOO_LARGE) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers: Vec<_> =
        headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes()))).collect();
    let status = app.delivery.receivers.receive(&token, &headers, &bytes).await?;
    StatusCode::from_u16(status).map_err(|error| ApiError::failed(&error))
}
