//! The Account API, `/api/my-account` and `/api/verifications`: users view and change their own account through
//! first-party applications. The rules are in [`claimsmith_identity::own_account`].

mod avatar;
mod data;
mod export;
mod factors;
mod grants;
mod identifiers;
mod impersonations;
mod password;
mod profile;
mod sessions;
mod social;
mod trusted_devices;
mod verification_codes;
mod verifications;
mod web_authn;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, header};
use claimsmith_management::unknown_method;
use claimsmith_services::app::App;
use claimsmith_web::routing::{delete, get, patch, post, put};
use tower_http::set_header::SetResponseHeaderLayer;

/// The routes, with full paths.
pub(crate) fn router() -> Router<App> {
    let no_store = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Router::new()
        .route("/api/my-account", get(data::show).merge(patch(data::change)).merge(delete(export::delete)))
        // The size limit of a picture is configured.
        .route("/api/my-account/user-assets/avatar", post(avatar::upload).layer(DefaultBodyLimit::disable()))
        .route("/api/my-account/profile", patch(profile::merge))
        .route("/api/my-account/password", post(password::set))
        .route("/api/my-account/primary-email", post(identifiers::set_email).merge(delete(identifiers::remove_email)))
        .route("/api/my-account/primary-phone", post(identifiers::set_phone).merge(delete(identifiers::remove_phone)))
        .route("/api/my-account/identities", post(identifiers::link).merge(put(identifiers::relink)))
        .route("/api/my-account/identities/{target}", delete(identifiers::unlink))
        .route("/api/my-account/mfa-verifications", get(factors::list).merge(post(factors::add)))
        .route("/api/my-account/mfa-verifications/totp", put(factors::replace_totp))
        .route("/api/my-account/mfa-verifications/totp-secret/generate", post(factors::new_secret))
        .route("/api/my-account/mfa-verifications/backup-codes/generate", post(factors::new_codes))
        .route("/api/my-account/mfa-verifications/{verificationId}/name", patch(factors::rename))
        .route("/api/my-account/mfa-verifications/{verificationId}", delete(factors::remove))
        .route("/api/my-account/mfa-settings", get(factors::show_settings).merge(patch(factors::change_settings)))
        .route("/api/my-account/logto-configs", get(factors::show_configs).merge(patch(factors::change_configs)))
        .route("/api/my-account/sessions", get(sessions::list))
        .route("/api/my-account/sessions/{sessionId}", delete(sessions::end))
        .route("/api/my-account/grants", get(grants::list))
        .route("/api/my-account/grants/{grantId}", delete(grants::revoke))
        .route("/api/my-account/impersonations", get(impersonations::list))
        .route("/api/my-account/impersonations/{jti}", delete(impersonations::end))
        .route("/api/my-account/trusted-devices", get(trusted_devices::list))
        .route("/api/my-account/trusted-devices/{trustedDeviceId}", delete(trusted_devices::end))
        .route("/api/my-account/export", get(export::export))
        .route("/api/verifications/password", post(verifications::password))
        .route("/api/verifications/verification-code", post(verification_codes::send))
        .route("/api/verifications/verification-code/verify", post(verification_codes::verify))
        .route("/api/verifications/social", post(social::begin))
        .route("/api/verifications/social/verify", post(social::verify))
        .route("/api/verifications/web-authn/registration", post(web_authn::register))
        .route("/api/verifications/web-authn/registration/verify", post(web_authn::verify))
        // Added here, so that CORS preflights are answered before it.
        .method_not_allowed_fallback(unknown_method)
        .layer(no_store)
}
