//! The page `/account` and its forms: each calls the functions of [`claimsmith_identity::own_account`], as the Account
//! API does, and shows the page again. Only passkeys need JavaScript.

pub(crate) mod address;
pub(crate) mod authenticator;
mod changes;
pub(crate) mod deletion;
mod export;
mod linking;
mod messages;
pub(crate) mod overview;
pub(crate) mod overview_data;
pub(crate) mod passkey;
mod picture;
pub(crate) mod proof;
mod revocations;
mod sign_in;
mod visitor;

use crate::paths;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::Response;
use claimsmith_services::app::App;
use claimsmith_web::redirect::see_other;
use claimsmith_web::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route(paths::ACCOUNT, get(overview::show))
        .route(paths::ACCOUNT_SIGNED_IN, get(sign_in::arrive))
        .route(paths::ACCOUNT_SIGN_IN, post(sign_in::sign_in))
        .route(paths::ACCOUNT_PROFILE, post(changes::profile))
        // The size limit of a picture is configured.
        .route(paths::ACCOUNT_PICTURE, post(picture::upload).layer(DefaultBodyLimit::disable()))
        .route(paths::ACCOUNT_FIELDS, post(changes::fields))
        .route(paths::ACCOUNT_USERNAME, post(changes::username))
        .route(paths::CHANGE_PASSWORD, get(change_password))
        .route(paths::ACCOUNT_PASSWORD, post(changes::password))
        .route(paths::ACCOUNT_ADDRESS, post(changes::remove_address))
        .route(paths::ACCOUNT_EMAIL, get(address::show_email).merge(post(address::submit_email)))
        .route(paths::ACCOUNT_PHONE, get(address::show_phone).merge(post(address::submit_phone)))
        .route(paths::ACCOUNT_LINK, post(linking::leave))
        .route(paths::ACCOUNT_CALLBACK_OF, get(linking::come_back).merge(post(linking::forward)))
        .route(
            paths::ACCOUNT_ENTERPRISE_CALLBACK_OF,
            get(linking::come_back_enterprise).merge(post(linking::forward_enterprise)),
        )
        .route(paths::ACCOUNT_IDENTITY, post(changes::unlink))
        .route(paths::ACCOUNT_PASSKEY, get(passkey::show).merge(post(passkey::set_up)))
        .route(paths::ACCOUNT_PASSKEY_OPTIONS, post(passkey::options))
        .route(paths::ACCOUNT_AUTHENTICATOR, get(authenticator::show).merge(post(authenticator::set_up)))
        .route(paths::ACCOUNT_BACKUP_CODES, post(authenticator::new_codes))
        .route(paths::ACCOUNT_FACTOR_NAME, post(changes::rename_factor))
        .route(paths::ACCOUNT_FACTOR, post(changes::remove_factor))
        .route(paths::ACCOUNT_SESSION, post(revocations::session))
        .route(paths::ACCOUNT_DEVICE, post(revocations::device))
        .route(paths::ACCOUNT_GRANT, post(revocations::grant))
        .route(paths::ACCOUNT_IMPERSONATION, post(revocations::impersonation))
        .route(paths::ACCOUNT_EXPORT, post(export::export))
        .route(paths::ACCOUNT_DELETE, get(deletion::ask).merge(post(deletion::delete)))
}

/// Sends browsers and password managers to where a password is changed, whether or not somebody is signed in.
async fn change_password(State(app): State<App>) -> Response {
    see_other(&format!("{}{}", app.config.server.base_url, paths::ACCOUNT_PASSWORD_SECTION))
}
