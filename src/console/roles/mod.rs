//! `/console/roles`: roles with their scopes and holders, and the matrix of roles and scopes.

mod assign;
mod create;
mod delete;
mod holders;
mod list;
mod matrix;
mod page;
mod scopes;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/roles", get(list::show_roles))
        .route("/console/roles/create", get(create::show_form).post(create::create_role))
        .route("/console/roles/matrix", get(matrix::show_matrix).post(matrix::save_matrix))
        .route("/console/roles/{id}", get(page::show_role).post(page::save_role))
        .route("/console/roles/{id}/scopes", post(page::save_scopes))
        .route("/console/roles/{id}/holders", get(holders::show_holders))
        .route("/console/roles/{id}/holders/{holder}/remove", post(holders::remove_holder))
        .route("/console/roles/{id}/assign", get(assign::show_candidates).post(assign::assign))
        .route("/console/roles/{id}/delete", get(delete::ask).post(delete::delete_role))
}
