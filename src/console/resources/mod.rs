//! `/console/resources`: the protected APIs and their scopes.

mod create;
mod delete;
mod list;
pub(crate) mod obtainable;
mod page;
mod protect;
mod scopes;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/resources", get(list::show_resources))
        .route("/console/resources/create", get(create::show_form).post(create::create_resource))
        .route("/console/resources/{id}", get(page::show_resource).post(page::save_resource))
        .route("/console/resources/{id}/default", post(page::set_default))
        .route("/console/resources/{id}/protect", get(protect::show_protect))
        .route("/console/resources/{id}/delete", get(delete::ask).post(delete::delete_resource))
        .route("/console/resources/{id}/scopes", post(scopes::create_scope))
        .route("/console/resources/{id}/scopes/{scope}", get(scopes::show_scope).post(scopes::save_scope))
        .route("/console/resources/{id}/scopes/{scope}/delete", get(delete::ask_scope).post(delete::delete_scope))
}
