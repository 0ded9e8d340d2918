//! The Interaction API, `/api/experience`: the steps of a sign-in or a registration, for custom pages. It is bound to
//! the browser's cookies; the rules are in [`claimsmith_identity::interaction`].

mod avatar;
mod captcha;
mod consent;
mod factors;
mod federated;
mod identification;
mod interaction;
mod mfa_code;
mod one_time_token;
mod passkeys;
mod profile;
mod profile_mfa;
mod submit;
mod verification;
mod verification_code;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, header};
use claimsmith_services::app::App;
use claimsmith_web::routing::{delete, get, post, put};
use tower_http::set_header::SetResponseHeaderLayer;

/// The routes, with full paths.
pub(crate) fn router() -> Router<App> {
    let no_store = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Router::new()
        .route("/api/experience", put(interaction::start))
        .route("/api/experience/interaction-event", put(interaction::switch))
        .route("/api/experience/interaction", get(interaction::show))
        .route("/api/experience/verification/password", post(verification::verify_password))
        .route("/api/experience/verification/new-password-identity", post(verification::new_password_identity))
        .route("/api/experience/verification/verification-code", post(verification_code::send_code))
        .route("/api/experience/verification/verification-code/verify", post(verification_code::verify_code))
        .route("/api/experience/verification/social/{connectorId}/authorization-uri", post(federated::begin_social))
        .route("/api/experience/verification/social/{connectorId}/verify", post(federated::verify_social))
        .route("/api/experience/verification/sso/{connectorId}/authorization-uri", post(federated::begin_enterprise))
        .route("/api/experience/verification/sso/{connectorId}/verify", post(federated::verify_enterprise))
        .route("/api/experience/sso-connectors", get(federated::list_connectors))
        .route("/api/experience/verification/mfa-verification-code", post(mfa_code::send_code))
        .route("/api/experience/verification/mfa-verification-code/verify", post(mfa_code::verify_code))
        .route("/api/experience/verification/one-time-token/verify", post(one_time_token::verify_token))
        .route("/api/experience/verification/totp/secret", post(factors::new_totp_secret))
        .route("/api/experience/verification/totp/verify", post(factors::verify_totp))
        .route("/api/experience/verification/backup-code/generate", post(factors::generate_backup_codes))
        .route("/api/experience/verification/backup-code/verify", post(factors::verify_backup_code))
        .route("/api/experience/verification/web-authn/registration", post(passkeys::register))
        .route("/api/experience/verification/web-authn/registration/verify", post(passkeys::verify_registration))
        .route("/api/experience/verification/web-authn/authentication", post(passkeys::authenticate))
        .route("/api/experience/verification/web-authn/authentication/verify", post(passkeys::verify_authentication))
        .route("/api/experience/preflight/captcha", post(captcha::ask))
        .route("/api/experience/preflight/sign-in-passkey/authentication", post(passkeys::preflight))
        .route("/api/experience/verification/sign-in-passkey/authentication", post(passkeys::ask_to_sign_in))
        .route("/api/experience/verification/sign-in-passkey/authentication/verify", post(passkeys::verify_sign_in))
        .route("/api/experience/identification", post(identification::identify))
        .route("/api/experience/profile", post(profile::add))
        .route("/api/experience/profile/password", put(profile::reset_password))
        .route("/api/experience/profile/mfa", post(profile_mfa::bind))
        .route("/api/experience/profile/mfa/passkey", post(profile_mfa::bind_passkey))
        .route("/api/experience/profile/mfa/passkey-skipped", post(profile_mfa::skip_passkey))
        .route("/api/experience/profile/mfa/mfa-enabled", post(profile_mfa::enable))
        .route("/api/experience/profile/mfa/mfa-skipped", post(profile_mfa::skip))
        .route("/api/experience/profile/mfa/mfa-suggestion-skipped", post(profile_mfa::skip_suggestion))
        // The size limit of a picture is configured.
        .route("/api/experience/user-assets/avatar", post(avatar::upload).layer(DefaultBodyLimit::disable()))
        .route("/api/experience/profile/mfa/trusted-device", post(profile_mfa::trust_device))
        .route("/api/experience/submit", post(submit::submit))
        .route("/api/interaction/consent", get(consent::show).merge(post(consent::decide)))
        .route("/api/interaction", delete(consent::abort))
        .layer(no_store)
}
