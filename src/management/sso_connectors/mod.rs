//! `/api/sso-connectors` and `/api/sso-connector-providers`: enterprise sign-in.

mod change;
mod create;
mod delete;
mod list;
mod providers;
mod refused;
mod settings;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_sso_connector, list::list_sso_connectors))
        .routes(routes!(list::show_sso_connector, change::update_sso_connector, delete::delete_sso_connector))
        .routes(routes!(providers::list_sso_connector_providers))
}
