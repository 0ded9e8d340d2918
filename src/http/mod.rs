//! The router: all routes, and the middleware of every request.

pub(crate) mod account;
pub(crate) mod avatars;
mod console;
pub(crate) mod demo;
mod described;
mod every_request;
pub(crate) mod experience;
pub mod family;
pub(crate) mod hook_receivers;
pub mod host;
mod in_flight_limit;
mod metrics;
mod own_client;
pub(crate) mod probe;
pub mod public_documents;
pub mod timeouts;
mod unknown_path;
mod unread_body;

use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Json, Router};
use claimsmith_services::app::App;
use claimsmith_web::routing::get;
use every_request::Checks;
use host::Hosts;
use std::sync::Arc;
use std::time::Duration;
use timeouts::BodyTimes;
use tower_http::compression::CompressionLayer;

/// Timeout of the longest bodies: an import of a million users whose passwords are hashed on the way.
const MAX_STREAM_DURATION: Duration = Duration::from_hours(24);

/// The server's routes, for requests to these hosts. Layers are applied from the inside out: the last one handles a
/// request first.
pub fn router(app: App, hosts: Hosts) -> Router {
    let settings = &app.config.server;
    let body = BodyTimes { idle: settings.body_idle_timeout, whole: settings.body_timeout };
    let demo = if hosts.are_of_demo() { demo::router() } else { Router::new() };
    let checks = Checks::new(&app, hosts);
    let long = BodyTimes { whole: MAX_STREAM_DURATION, ..body };
    let operations = claimsmith_management::routers();
    // Screens may upload, compile and import as well, so they have their own timeouts.
    let console = compressed(console::router(&app, operations.clone()));
    let claimsmith_management::Routers { guarded, uploads, streams, public } = operations;
    Router::new()
        .nest("/oidc", claimsmith_oidc::router())
        .merge(claimsmith_oidc::well_known())
        .merge(compressed(public))
        .merge(compressed(descriptions()))
        .layer(claimsmith_web::cors::layer(app.clone()))
        .merge(compressed(account::router()).layer(claimsmith_web::cors::account_layer(app.clone())))
        .merge(compressed(guarded))
        .merge(compressed(claimsmith_pages::router().fallback(unknown_path::show)))
        // Outside of the CORS layer: other origins must not take part in a sign-in.
        .merge(experience::router())
        .merge(hook_receivers::router())
        // Pictures are compressed already.
        .merge(avatars::router())
        .merge(compressed(demo))
        .layer(from_fn_with_state(settings.request_timeout, timeouts::limit_whole))
        // These compile plugins, which has its own timeout.
        .merge(uploads)
        .merge(console)
        .method_not_allowed_fallback(claimsmith_management::unknown_method)
        .layer(from_fn_with_state(body, timeouts::limit_body))
        .merge(streams.layer(from_fn_with_state(long, timeouts::limit_body)))
        .layer(from_fn_with_state(Arc::new(checks), every_request::answer))
        .with_state(app)
}

/// The descriptions of the APIs that are not the Management API, where clients of the reference API look for them.
fn descriptions() -> Router<App> {
    Router::new()
        .route("/api/.well-known/experience.openapi.json", get(async || Json(experience::description())))
        .route("/api/.well-known/user.openapi.json", get(async || Json(account::description())))
}

/// Routes whose responses are compressed while they are sent.
fn compressed(routes: Router<App>) -> Router<App> {
    routes.layer(from_fn(in_flight_limit::weigh)).layer(CompressionLayer::new())
}
