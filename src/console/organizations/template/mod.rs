//! `/console/organizations/template`: the roles and permissions that all organizations share.

mod delete;
mod matrix;
mod permissions;
mod role;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The path of the template's page.
const PAGE: &str = "/console/organizations/template";

/// The routes.
pub(super) fn router() -> Router<Console> {
    Router::new()
        .route("/console/organizations/template", get(matrix::show_template).post(matrix::save_matrix))
        .route("/console/organizations/template/roles", post(role::create_role))
        .route("/console/organizations/template/roles/{id}", get(role::show_role).post(role::save_role))
        .route("/console/organizations/template/roles/{id}/resource-scopes", post(role::save_resource_scopes))
        .route("/console/organizations/template/roles/{id}/delete", get(delete::ask_role).post(delete::delete_role))
        .route("/console/organizations/template/permissions", post(permissions::create_permission))
        .route(
            "/console/organizations/template/permissions/{id}",
            get(permissions::show_permission).post(permissions::save_permission),
        )
        .route(
            "/console/organizations/template/permissions/{id}/delete",
            get(delete::ask_permission).post(delete::delete_permission),
        )
}
