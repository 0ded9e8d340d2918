//! `/api/sign-in-exp`: the sign-in settings, a file for each operation.

mod check_password;
mod conflicts;
mod preview;
mod refusal;
mod show;
mod update;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show::show_sign_in_experience, update::update_sign_in_experience))
        .routes(routes!(check_password::check_password))
        .routes(routes!(preview::preview_sign_in_experience))
        .routes(routes!(conflicts::show_case_conflicts))
}
