//! `/console/sign-in-experience`: how people sign in and register, and what the pages look like and say.

mod page;
mod phrases;
mod preview;
mod tabs;

use crate::Console;
use axum::Router;
use axum::routing::get;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/sign-in-experience", get(page::show_first).post(page::save_first))
        .route("/console/sign-in-experience/preview", get(preview::show_saved).post(preview::show_draft))
        .route("/console/sign-in-experience/phrases/{language}", get(phrases::show_language).post(phrases::save))
        .route("/console/sign-in-experience/{tab}", get(page::show_tab).post(page::save))
}
