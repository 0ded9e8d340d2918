//! `/api/configs`: configuration in the database, and the server's startup configuration. Token scripts: `plugins`.

mod id_token;
mod keys;
mod rotate;
mod server;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(keys::list_keys))
        .routes(routes!(rotate::rotate_keys))
        .routes(routes!(keys::delete_key))
        .routes(routes!(server::show_server_settings))
        .routes(routes!(id_token::show_id_token, id_token::replace_id_token))
}
