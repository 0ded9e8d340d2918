//! `/api/applications`: the routes, a file for each operation or family of operations.

mod admin;
mod client_authentication;
mod create;
mod custom_data;
mod delete;
mod list;
mod metadata;
mod organizations;
mod roles;
mod secret_update;
mod secrets;
mod show;
mod sign_in_experience;
mod token_preview;
mod update;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_application, list::list_applications))
        .routes(routes!(show::show_application, update::update_application, delete::delete_application))
        .routes(routes!(secrets::list_application_secrets, secrets::create_application_secret))
        .routes(routes!(secret_update::update_application_secret, secrets::delete_application_secret))
        .routes(routes!(
            roles::list_application_roles,
            roles::assign_application_roles,
            roles::replace_application_roles
        ))
        .routes(routes!(roles::remove_application_role))
        .routes(routes!(custom_data::merge_application_custom_data))
        .routes(routes!(token_preview::preview_token))
        .routes(routes!(organizations::list_application_organizations))
        .routes(routes!(
            sign_in_experience::show_application_sign_in_experience,
            sign_in_experience::put_application_sign_in_experience
        ))
}
