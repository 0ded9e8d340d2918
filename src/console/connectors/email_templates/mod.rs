//! `/console/connectors/email-templates`: the operator's own email texts.

mod create;
mod list;
mod model;
mod template;

use crate::Console;
use axum::Router;
use axum::routing::get;

/// The path of the list.
pub(super) const PAGE: &str = "/console/connectors/email-templates";

/// The routes.
pub(super) fn router() -> Router<Console> {
    Router::new()
        .route("/console/connectors/email-templates", get(list::show_list))
        .route("/console/connectors/email-templates/new", get(create::ask).post(create::submit))
        .route("/console/connectors/email-templates/{id}", get(template::show_template).post(template::save))
        .route("/console/connectors/email-templates/{id}/delete", get(template::ask_to_delete).post(template::delete))
}
