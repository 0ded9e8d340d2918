//! `/api/impersonations`: the routes of impersonations.

mod end;
mod list;
mod view;

use crate::app::App;
use crate::http::management::describe::routes;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_impersonations))
        .routes(routes!(list::show_impersonation, end::end_impersonation))
}
