//! `/console/connectors`: what sends messages, and where people have accounts elsewhere.

mod connector;
mod create;
mod list;
mod model;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/connectors", get(list::show_list))
        .route("/console/connectors/new/{factory}", get(create::ask).post(create::submit))
        .route("/console/connectors/{id}", get(connector::show_connector).post(connector::save))
        .route("/console/connectors/{id}/test", post(connector::test))
        .route("/console/connectors/{id}/delete", get(connector::ask_to_delete).post(connector::delete))
}
