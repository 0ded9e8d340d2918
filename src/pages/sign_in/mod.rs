//! The pages of an interaction. Each has its template's struct and the handlers of its forms, which call the steps of
//! [`claimsmith_identity::interaction`], as the Interaction API does, and redirect the browser or show the page again
//! with an error.

mod agree;
pub(crate) mod backup_codes;
pub(crate) mod choose_account;
pub(crate) mod consent;
pub(crate) mod credentials;
pub(crate) mod device;
pub(crate) mod enterprise;
mod federated;
mod identifier;
pub(crate) mod invitation;
pub(crate) mod leave;
pub mod messages;
pub(crate) mod one_time_token;
pub(crate) mod passkey;
pub(crate) mod profile;
pub(crate) mod register;
pub(crate) mod reset_password;
pub(crate) mod second_factor;
pub(crate) mod set_up_code;
pub(crate) mod set_up_factor;
mod set_up_ways;
mod trust;
pub(crate) mod verification_code;
pub(crate) mod visitor;

use crate::paths;
use axum::Router;
use claimsmith_services::app::App;
use claimsmith_web::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route(paths::SIGN_IN, get(credentials::show).merge(post(credentials::submit)))
        .route(paths::REGISTER, get(register::show).merge(post(register::submit)))
        .route(paths::SIGN_IN_SOCIAL, post(federated::sign_in_by))
        .route(paths::REGISTER_SOCIAL, post(federated::register_by))
        .route(paths::REGISTER_ELSEWHERE, get(agree::show).merge(post(agree::submit)))
        .route(paths::DIRECT, get(leave::show_direct))
        .route(paths::SINGLE_SIGN_ON, get(enterprise::show).merge(post(enterprise::submit)))
        .route(paths::CALLBACK_OF, get(federated::come_back).merge(post(federated::forward)))
        .route(paths::ONE_TIME_TOKEN, get(one_time_token::show).merge(post(one_time_token::submit)))
        .route(paths::INVITATION, get(invitation::show).merge(post(invitation::accept)))
        .route(paths::VERIFICATION_CODE, get(verification_code::show).merge(post(verification_code::submit)))
        .route(paths::RESET_PASSWORD, get(reset_password::show).merge(post(reset_password::submit)))
        .route(paths::NEW_PASSWORD, get(reset_password::show_new).merge(post(reset_password::submit_new)))
        .route(paths::PROFILE, get(profile::show).merge(post(profile::submit)))
        .route(paths::SECOND_FACTOR, get(second_factor::show).merge(post(second_factor::submit)))
        .route(paths::BACKUP_CODE, get(second_factor::show_backup_code).merge(post(second_factor::submit_backup_code)))
        .route(paths::EMAIL_FACTOR, get(second_factor::show_email).merge(post(second_factor::submit_email)))
        .route(paths::PHONE_FACTOR, get(second_factor::show_phone).merge(post(second_factor::submit_phone)))
        .route(paths::SET_UP_FACTOR, get(set_up_factor::show).merge(post(set_up_factor::submit)))
        .route(paths::SET_UP_EMAIL, get(set_up_code::show_email).merge(post(set_up_code::submit_email)))
        .route(paths::SET_UP_PHONE, get(set_up_code::show_phone).merge(post(set_up_code::submit_phone)))
        .route(paths::NEW_BACKUP_CODES, get(backup_codes::show).merge(post(backup_codes::keep)))
        .route(paths::SIGN_IN_PASSKEY, post(passkey::sign_in))
        .route(paths::PASSKEY, get(passkey::show).merge(post(passkey::prove)))
        .route(paths::SET_UP_PASSKEY, get(passkey::show_new).merge(post(passkey::set_up)))
        .route(paths::CONSENT, get(consent::show).merge(post(consent::decide)))
        .route(paths::DEVICE, get(device::ask).merge(post(device::enter)))
        .route(paths::DEVICE_CONFIRM, get(device::show).merge(post(device::decide)))
        .route(paths::DEVICE_CONNECTED, get(device::connected))
        .route(paths::DEVICE_DENIED, get(device::denied))
        .route(paths::SWITCH_ACCOUNT, get(choose_account::show).merge(post(choose_account::choose)))
}
