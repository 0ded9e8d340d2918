//! The Interaction API, `/api/experience`: the steps of a sign-in or a registration, for pages of one's own. It is bound
//! to the browser's cookies; the rules are in [`crate::interaction`].

mod consent;
mod factors;
mod identification;
mod interaction;
mod profile;
mod profile_mfa;
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
        .route("/api/experience/verification/totp/secret", post(factors::new_totp_secret))
        .route("/api/experience/verification/totp/verify", post(factors::verify_totp))
        .route("/api/experience/verification/backup-code/generate", post(factors::generate_backup_codes))
        .route("/api/experience/verification/backup-code/verify", post(factors::verify_backup_code))
        .route("/api/experience/identification", post(identification::identify))
        .route("/api/experience/profile", post(profile::add))
        .route("/api/experience/profile/mfa", post(profile_mfa::bind))
        .route("/api/experience/profile/mfa/mfa-enabled", post(profile_mfa::enable))
        .route("/api/experience/profile/mfa/mfa-skipped", post(profile_mfa::skip))
        .route("/api/experience/profile/mfa/mfa-suggestion-skipped", post(profile_mfa::skip_suggestion))
        .route("/api/experience/submit", post(submit::submit))
        .route("/api/interaction/consent", get(consent::show).post(consent::decide))
        .route("/api/interaction", delete(consent::abort))
        .layer(no_store)
}
