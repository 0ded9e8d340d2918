//! The forms of the pages of an interaction: each calls the steps of [`crate::interaction`], as the Interaction API does,
//! and sends the browser on or shows its page again with what is wrong.

mod consent;
mod device;
mod messages;
mod profile;
mod register;
mod sign_in;
mod switch_account;
mod visitor;

use crate::app::App;
use crate::http::pages::paths;
use axum::Router;
use axum::routing::get;

/// The routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route(paths::SIGN_IN, get(sign_in::show).post(sign_in::submit))
        .route(paths::REGISTER, get(register::show).post(register::submit))
        .route(paths::PROFILE, get(profile::show).post(profile::submit))
        .route(paths::CONSENT, get(consent::show).post(consent::decide))
        .route(paths::DEVICE, get(device::ask).post(device::enter))
        .route(paths::DEVICE_CONFIRM, get(device::show).post(device::decide))
        .route(paths::DEVICE_CONNECTED, get(device::connected))
        .route(paths::DEVICE_DENIED, get(device::denied))
        .route(paths::SWITCH_ACCOUNT, get(switch_account::show).post(switch_account::choose))
}
