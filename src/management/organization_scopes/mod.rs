//! `/api/organization-scopes`: the routes, a file for each operation.

mod create;
mod delete;
mod list;
mod show;
mod update;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

pub(crate) use view::OrganizationScopeView;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create::create_organization_scope, list::list_organization_scopes)).routes(
        routes!(show::show_organization_scope, update::update_organization_scope, delete::delete_organization_scope),
    )
}
