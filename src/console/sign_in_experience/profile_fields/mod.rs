//! `/console/sign-in-experience/profile-fields`: the fields of the user profile.

mod create;
mod field;
mod list;
mod model;
mod rules;

use crate::Console;
use axum::Router;
use axum::routing::get;

/// The path of the list.
pub(super) const PAGE: &str = "/console/sign-in-experience/profile-fields";

/// The routes. A field may have any name, so the pages of new fields have another path prefix.
pub(super) fn router() -> Router<Console> {
    Router::new()
        .route("/console/sign-in-experience/profile-fields", get(list::show_list).post(list::order))
        .route("/console/sign-in-experience/new-profile-field/{type}", get(create::ask).post(create::submit))
        .route("/console/sign-in-experience/profile-fields/{name}", get(field::show_field).post(field::save))
        .route(
            "/console/sign-in-experience/profile-fields/{name}/delete",
            get(field::ask_to_delete).post(field::delete),
        )
}
