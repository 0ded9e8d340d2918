//! `/console/users`: lists, creates, imports and exports users, and has pages for each user.

mod access;
mod activity;
mod addresses;
mod create;
mod custom_data;
mod delete;
mod export;
mod factors;
mod import;
mod importing;
mod list;
mod password;
mod profile;
mod secret;
mod security;
mod sessions;
mod sign_in_line;
mod state;
mod tokens;
mod user;

use crate::Console;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/users", get(list::show_users))
        .route("/console/users/create", get(create::show_form).post(create::create_user))
        // No body limit: a large import is read as a stream.
        .route(
            "/console/users/import",
            get(import::show_form).post(import::import_users).layer(DefaultBodyLimit::disable()),
        )
        .route("/console/users/export", get(export::show_choices))
        .route("/console/users/export/file", get(export::download))
        .merge(of_one())
}

/// The routes of one user.
fn of_one() -> Router<Console> {
    Router::new()
        .route("/console/users/{id}", get(profile::show_profile).post(profile::save_profile))
        .route("/console/users/{id}/custom-data", post(custom_data::save_custom_data))
        .route("/console/users/{id}/suspend", get(state::ask_to_suspend).post(state::suspend))
        .route("/console/users/{id}/reactivate", post(state::reactivate))
        .route("/console/users/{id}/unlock", post(state::unlock))
        .route("/console/users/{id}/delete", get(delete::ask).post(delete::delete_user))
        .route("/console/users/{id}/access", get(access::show_access))
        .route("/console/users/{id}/roles", post(access::add_role))
        .route("/console/users/{id}/roles/{role}/remove", post(access::remove_role))
        .route("/console/users/{id}/organizations", post(access::add_organization))
        .route("/console/users/{id}/organizations/{organization}/leave", post(access::leave_organization))
        .route("/console/users/{id}/security", get(security::show_security))
        .route("/console/users/{id}/password", post(password::set_password))
        .route("/console/users/{id}/factors", post(factors::add_factor))
        .route("/console/users/{id}/factors/{factor}/remove", post(factors::remove_factor))
        .route("/console/users/{id}/identities/{target}/unlink", post(factors::unlink_identity))
        .route("/console/users/{id}/code", post(addresses::send_code))
        .route("/console/users/{id}/code/verify", post(addresses::verify_code))
        .route("/console/users/{id}/link", post(addresses::make_link))
        .route("/console/users/{id}/sessions", get(sessions::show_sessions))
        .route("/console/users/{id}/sessions/end", post(sessions::end_all))
        .route("/console/users/{id}/sessions/{session}/end", post(sessions::end_session))
        .route("/console/users/{id}/grants/{grant}/revoke", post(sessions::revoke_grant))
        .route("/console/users/{id}/trusted-devices/{device}/end", post(sessions::end_trust))
        .route("/console/users/{id}/tokens", post(tokens::create_token))
        .route("/console/users/{id}/tokens/delete", post(tokens::delete_token))
        .route("/console/users/{id}/activity", get(activity::show_activity))
}
