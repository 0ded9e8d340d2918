//! `/api/resources`: the routes, a file for each operation or two.

mod create;
mod delete;
mod list;
mod protect;
mod scope_update;
mod scopes;
mod show;
mod update;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

pub(crate) use view::{ResourceView, ScopeView};

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_resource, list::list_resources))
        .routes(routes!(show::show_resource, update::update_resource, delete::delete_resource))
        .routes(routes!(update::set_resource_default))
        .routes(routes!(scopes::create_scope, scopes::list_scopes))
        .routes(routes!(scope_update::update_scope, scopes::delete_scope))
}
