//! `/console/applications`: applications, from creation to the tokens that they get.

mod access;
mod branding;
mod create;
mod custom_data;
mod delete;
mod guide;
pub(crate) mod impersonation;
mod jwt;
mod list;
mod model;
mod secrets;
mod settings;
mod token_preview;
mod try_callback;
mod try_it;
mod try_pending;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/applications", get(list::show_list))
        .route("/console/applications/new", get(create::ask).post(create::submit))
        .route("/console/applications/{id}", get(settings::show_settings).post(settings::save))
        .route("/console/applications/{id}/guide", get(guide::show_guide))
        .route("/console/applications/{id}/secrets", get(secrets::show_secrets).post(secrets::create))
        .route("/console/applications/{id}/secrets/{name}", post(secrets::change))
        .route("/console/applications/{id}/secrets/{name}/delete", get(secrets::ask_to_delete).post(secrets::delete))
        .route("/console/applications/{id}/access", get(access::show_access).post(access::add_role))
        .route("/console/applications/{id}/access/{role_id}/remove", post(access::remove_role))
        .route("/console/applications/{id}/branding", get(branding::show_branding).post(branding::save))
        .route(
            "/console/applications/{id}/impersonation",
            get(impersonation::show_impersonation).post(impersonation::save),
        )
        .route("/console/applications/{id}/impersonation/test", post(impersonation::test))
        .route("/console/applications/{id}/data", get(custom_data::show_data).post(custom_data::save))
        .route("/console/applications/{id}/token-preview", get(token_preview::show_preview))
        .route("/console/applications/{id}/try", get(try_it::show_try).post(try_it::begin))
        .route("/console/applications/{id}/try/redirect-uri", post(try_it::change_redirect_uri))
        .route("/console/applications/{id}/try/machine", post(try_callback::ask_as_machine))
        .route("/console/applications/{id}/try/callback", get(try_callback::come_back))
        .route("/console/applications/{id}/delete", get(delete::ask).post(delete::delete))
}
