//! `/console/organizations`: organizations and their members, and the template of roles and permissions that they
//! share.

mod applications;
mod create;
mod custom_data;
mod delete;
mod invitations;
mod just_in_time;
mod list;
mod member;
mod members;
mod organization;
mod settings;
mod template;

use crate::Console;
use axum::Router;
use axum::routing::{get, post};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/organizations", get(list::show_organizations))
        .route("/console/organizations/create", get(create::show_form).post(create::create_organization))
        .merge(template::router())
        .merge(of_one())
}

/// The routes of one organization.
fn of_one() -> Router<Console> {
    Router::new()
        .route("/console/organizations/{id}", get(settings::show_settings).post(settings::save_settings))
        .route("/console/organizations/{id}/custom-data", post(custom_data::save_custom_data))
        .route("/console/organizations/{id}/delete", get(delete::ask).post(delete::delete_organization))
        .route("/console/organizations/{id}/members", get(members::show_members))
        .route("/console/organizations/{id}/members/add", get(members::show_candidates).post(members::add_members))
        .route("/console/organizations/{id}/members/{user}", get(member::show_member).post(member::save_member))
        .route("/console/organizations/{id}/members/{user}/remove", post(member::remove_member))
        .route("/console/organizations/{id}/applications", get(applications::show_applications))
        .route(
            "/console/organizations/{id}/applications/add",
            get(applications::show_candidates).post(applications::add_applications),
        )
        .route(
            "/console/organizations/{id}/applications/{application}",
            get(member::show_application).post(member::save_application),
        )
        .route("/console/organizations/{id}/applications/{application}/remove", post(member::remove_application))
        .route("/console/organizations/{id}/invitations", get(invitations::show_invitations).post(invitations::invite))
        .route("/console/organizations/{id}/invitations/{invitation}/send", post(invitations::send_again))
        .route("/console/organizations/{id}/invitations/{invitation}/revoke", post(invitations::revoke))
        .route("/console/organizations/{id}/just-in-time", get(just_in_time::show).post(just_in_time::add_domain))
        .route("/console/organizations/{id}/just-in-time/remove", post(just_in_time::remove_domain))
        .route("/console/organizations/{id}/just-in-time/roles", post(just_in_time::save_roles))
}
