//! The forms of the pages of an interaction: each calls the steps of [`crate::interaction`], as the Interaction API does,
//! and sends the browser on or shows its page again with what is wrong.

mod backup_codes;
mod consent;
mod device;
mod messages;
mod profile;
mod register;
mod second_factor;
mod set_up_factor;
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
        .route(paths::SECOND_FACTOR, get(second_factor::show).post(second_factor::submit))
        .route(paths::BACKUP_CODE, get(second_factor::show_backup_code).post(second_factor::submit_backup_code))
        .route(paths::SET_UP_FACTOR, get(set_up_factor::show).post(set_up_factor::submit))
        .route(paths::NEW_BACKUP_CODES, get(backup_codes::show).post(backup_codes::keep))
        .route(paths::CONSENT, get(consent::show).post(consent::decide))
        .route(paths::DEVICE, get(device::ask).post(device::enter))
        .route(paths::DEVICE_CONFIRM, get(device::show).post(device::decide))
        .route(paths::DEVICE_CONNECTED, get(device::connected))
        .route(paths::DEVICE_DENIED, get(device::denied))
        .route(paths::SWITCH_ACCOUNT, get(switch_account::show).post(switch_account::choose))
}
