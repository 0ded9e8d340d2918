//! `/api/connectors` and `/api/connector-factories`: connections to other services.

mod authorization;
mod create;
mod delete;
mod factories;
mod list;
mod refused;
mod trial;
mod update;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_connector, list::list_connectors))
        .routes(routes!(list::show_connector, update::update_connector, delete::delete_connector))
        .routes(routes!(authorization::make_authorization_uri))
        .routes(routes!(trial::test_connector))
        .routes(routes!(factories::list_connector_factories))
        .routes(routes!(factories::show_connector_factory))
}
