//! `/api/users`: the routes, a file for each operation.

mod columns;
mod create;
mod data;
mod delete;
mod export;
mod formulas;
mod grants;
mod identities;
mod import;
mod link;
mod list;
mod logto_configs;
mod mfa;
mod organizations;
mod password;
mod personal_access_tokens;
mod roles;
mod sessions;
mod show;
mod suspend;
mod trusted_devices;
mod update;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The import, whose body has no known length.
pub fn import_router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import::import_users))
}

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_user, list::list_users))
        .routes(routes!(export::export_users))
        .routes(routes!(show::show_user, update::update_user, delete::delete_user))
        .routes(routes!(data::show_custom_data, data::merge_custom_data))
        .routes(routes!(data::merge_profile))
        .routes(routes!(password::set_password))
        .routes(routes!(password::verify_password))
        .routes(routes!(password::has_password))
        .routes(routes!(identities::show_identity, identities::link_identity, identities::unlink_identity))
        .routes(routes!(link::link_brought_identity))
        .routes(routes!(mfa::list_factors, mfa::create_factor))
        .routes(routes!(mfa::delete_factor))
        .routes(routes!(logto_configs::show_user_settings, logto_configs::change_user_settings))
        .routes(routes!(
            personal_access_tokens::list_tokens,
            personal_access_tokens::create_token,
            personal_access_tokens::rename_token_by_name
        ))
        .routes(routes!(personal_access_tokens::rename_token, personal_access_tokens::delete_token))
        .routes(routes!(personal_access_tokens::delete_token_by_name))
        .routes(routes!(grants::list_grants))
        .routes(routes!(grants::revoke_grant))
        .routes(routes!(sessions::list_sessions))
        .routes(routes!(sessions::show_session, sessions::end_session))
        .routes(routes!(trusted_devices::list_trusted_devices))
        .routes(routes!(trusted_devices::delete_trusted_device))
        .routes(routes!(suspend::set_user_suspended))
        .routes(routes!(roles::list_user_roles, roles::assign_user_roles, roles::replace_user_roles))
        .routes(routes!(roles::remove_user_role))
        .routes(routes!(organizations::list_user_organizations))
}
