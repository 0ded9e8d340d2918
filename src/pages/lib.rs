//! The pages of sign-in: HTML from compile-time checked templates, in six languages, with the operator's look. Each
//! page is one struct, which the handler of its form fills in and returns. JavaScript is only needed for what browsers
//! cannot do without it: passkeys, and the puzzle of a captcha.

pub mod console;
pub mod demo;
pub mod error_page;
pub mod failure;
pub mod form;
pub mod form_post;
pub mod frame;
pub mod headers;
pub mod look;
pub mod mailbox;
pub mod no_interaction;
pub mod not_found;
pub mod paths;
pub mod sign_in;
pub mod sign_out;
pub mod texts;
pub mod welcome;

mod account;
mod agreement;
mod assets;
mod brand;
mod callback;
mod captcha;
mod custom_fields;
mod page;
pub mod preview;
mod signed_out;
mod style_sheets;
#[cfg(test)]
mod tests;

pub mod experience;
pub mod phrases;

use axum::Router;
use claimsmith_services::app::App;
use claimsmith_web::routing::get;

/// The routes of pages and of their files.
pub fn router() -> Router<App> {
    Router::new()
        .route("/", get(welcome::show_welcome))
        .route(paths::SIGNED_OUT, get(signed_out::show_signed_out))
        .route("/assets/{name}", get(style_sheets::show_asset))
        .merge(sign_in::router())
        .merge(account::router())
}
