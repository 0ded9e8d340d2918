//! `/api/organizations`: the routes, a file for each operation, a folder for each kind of member.

mod applications;
mod chosen_roles;
mod create;
mod delete;
pub(super) mod jit;
mod list;
mod members;
mod show;
mod update;
mod users;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_organization, list::list_organizations))
        .routes(routes!(show::show_organization, update::update_organization, delete::delete_organization))
        .merge(users::router())
        .merge(applications::router())
        .merge(jit::router())
}
