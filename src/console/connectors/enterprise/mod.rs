//! `/console/connectors/enterprise`: companies whose users sign in at their own OpenID provider.

mod connector;
mod create;
mod list;
mod model;

use crate::Console;
use axum::Router;
use axum::routing::get;

/// The path of the list.
pub(super) const PAGE: &str = "/console/connectors/enterprise";

/// The routes.
pub(super) fn router() -> Router<Console> {
    Router::new()
        .route("/console/connectors/enterprise", get(list::show_list))
        .route("/console/connectors/enterprise/new/{provider}", get(create::ask).post(create::submit))
        .route("/console/connectors/enterprise/{id}", get(connector::show_connector).post(connector::save))
        .route("/console/connectors/enterprise/{id}/delete", get(connector::ask_to_delete).post(connector::delete))
}
