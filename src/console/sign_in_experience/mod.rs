//! `/console/sign-in-experience`: sign-in and registration methods, branding, and texts of the sign-in pages.

mod languages;
mod page;
mod phrases;
mod preview;
mod profile_fields;
mod tabs;

use crate::Console;
use axum::Router;
use axum::routing::get;

/// The tabs, with their titles.
pub(crate) fn pages() -> Vec<(String, &'static str)> {
    let tabs = tabs::TABS.iter().map(|tab| (tab.page(), tab.title));
    tabs.chain([(profile_fields::PAGE.to_owned(), "Profile fields")]).collect()
}

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/sign-in-experience", get(page::show_first).post(page::save_first))
        .route("/console/sign-in-experience/preview", get(preview::show_saved).post(preview::show_draft))
        .route("/console/sign-in-experience/phrases", get(page::add_language))
        .route("/console/sign-in-experience/phrases/{language}", get(phrases::show_language).post(phrases::save))
        .route(
            "/console/sign-in-experience/phrases/{language}/delete",
            get(phrases::ask_to_delete).post(phrases::delete),
        )
        .route("/console/sign-in-experience/{tab}", get(page::show_tab).post(page::save))
        .merge(profile_fields::router())
}
