//! `/console/connectors`: email and SMS senders, email templates, and social and enterprise sign-in.

mod connector;
mod create;
mod email_templates;
mod enterprise;
mod list;
mod model;
mod new_id;
mod outage;
mod setup;
mod sign_in_page;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The lists of this section, with their titles.
pub(crate) const LISTS: &[(&str, &str)] = &[
    ("/console/connectors", "Connectors"),
    (enterprise::PAGE, "Enterprise connectors"),
    (email_templates::PAGE, "E-mail templates"),
];

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/connectors", get(list::show_list))
        .route("/console/connectors/new/{factory}", get(create::ask).post(create::submit))
        .route("/console/connectors/{id}", get(connector::show_connector).post(connector::save))
        .route("/console/connectors/{id}/sign-in-page", post(connector::save_place))
        .route("/console/connectors/{id}/test", post(connector::test))
        .route("/console/connectors/{id}/delete", get(connector::ask_to_delete).post(connector::delete))
        .merge(email_templates::router())
        .merge(enterprise::router())
}
