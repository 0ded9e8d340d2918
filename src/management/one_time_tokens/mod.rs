//! `/api/one-time-tokens`: links that sign a user in or register one, once; a file for each operation.

mod create;
mod delete;
mod list;
mod show;
mod status;
mod verify;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_one_time_token, list::list_one_time_tokens))
        .routes(routes!(verify::verify_one_time_token))
        .routes(routes!(show::show_one_time_token, delete::delete_one_time_token))
        .routes(routes!(status::set_one_time_token_status))
}
