//! HTTP: the whole surface on one page, and what every request passes through.

pub mod cors;
pub mod error;
pub mod extract;
pub mod management;
pub mod measure;
pub mod oidc;
pub mod request_info;

use crate::app::App;
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use request_info::RequestInfo;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

/// The server's routes. Layers stand inside out: the last one sees a request first.
pub fn router(app: App) -> Router {
    let timeout = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, app.config.server.request_timeout);
    let (management, uploads) = management::routers();
    Router::new()
        .nest("/oidc", oidc::router())
        .merge(oidc::well_known())
        .layer(cors::layer(app.clone()))
        .merge(management.layer(CompressionLayer::new()))
        .layer(timeout)
        // These compile, which has a time limit of its own.
        .merge(uploads)
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(from_fn(measure::measure))
        .layer(TraceLayer::new_for_http().make_span_with(span))
        .layer(from_fn_with_state(app.clone(), request_info::assign))
        .with_state(app)
}

fn span(request: &Request) -> tracing::Span {
    let info = request.extensions().get::<RequestInfo>();
    tracing::info_span!(
        "http.request",
        method = %request.method(),
        // Without the query: it may hold what does not belong into a log.
        path = request.uri().path(),
        request_id = info.map(|info| info.id.as_str()),
    )
}

/// A panic is a defect of the server: told as 500, logged, and no other request notices.
fn answer_panic(_: Box<dyn std::any::Any + Send>) -> axum::response::Response {
    use axum::response::IntoResponse;
    tracing::error!("a handler panicked");
    error::ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Internal server error.").into_response()
}
