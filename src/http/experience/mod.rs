//! The Interaction API, `/api/experience`: the steps of a sign-in or a registration, for pages of one's own. It is bound
//! to the browser's cookies; the rules are in [`crate::interaction`].

mod consent;
mod identification;
mod interaction;
mod profile;
mod refusal;
mod submit;
mod verification;

use crate::app::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::{delete, get, post, put};
use tower_http::set_header::SetResponseHeaderLayer;

/// The routes, with their whole paths.
pub(crate) fn router() -> Router<App> {
    let no_store = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Router::new()
        .route("/api/experience", put(interaction::start))
        .route("/api/experience/interaction-event", put(interaction::switch))
        .route("/api/experience/interaction", get(interaction::show))
        .route("/api/experience/verification/password", post(verification::verify_password))
        .route("/api/experience/verification/new-password-identity", post(verification::new_password_identity))
        .route("/api/experience/identification", post(identification::identify))
        .route("/api/experience/profile", post(profile::add))
        .route("/api/experience/submit", post(submit::submit))
        .route("/api/interaction/consent", get(consent::show).post(consent::decide))
        .route("/api/interaction", delete(consent::abort))
        .layer(no_store)
}
