//! `/api/impersonations`: the routes of impersonations.

mod end;
mod list;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_impersonations))
        .routes(routes!(list::show_impersonation, end::end_impersonation))
}
