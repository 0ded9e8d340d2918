//! CORS for the endpoints that browsers call: allows the origins that applications registered.

use crate::extract::account::VERIFICATION_ID;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use claimsmith_services::app::App;
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// How long a browser may keep the answer to a preflight.
const MAX_AGE: Duration = Duration::from_mins(10);

/// The same for the Account API, which applications call from browsers with the person's access token.
pub fn account_layer(app: App) -> CorsLayer {
    let headers = [header::AUTHORIZATION, header::CONTENT_TYPE, VERIFICATION_ID];
    let methods = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    layer(app).allow_methods(methods).allow_headers(headers)
}

/// The layer for `/oidc` and what sign-in pages are made of. Credentials of a browser (cookies) are never allowed
/// along.
pub fn layer(app: App) -> CorsLayer {
    let origins = AllowOrigin::async_predicate(move |origin: HeaderValue, _: &Parts| {
        let app = app.clone();
        async move { is_registered(&app, &origin).await }
    });
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .max_age(MAX_AGE)
}

async fn is_registered(app: &App, origin: &HeaderValue) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    let Ok(mut tx) = app.db.read().await else { return false };
    let Ok(snapshot) = app.authorizations.current(&mut tx, app.clock.now_ms()).await else { return false };
    snapshot.knows_origin(&mut tx, origin).await.unwrap_or(false)
}
