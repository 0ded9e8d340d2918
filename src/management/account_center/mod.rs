//! `/api/account-center`: the settings of users' own accounts.

mod show;
mod update;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show::show_account_center, update::update_account_center))
}
