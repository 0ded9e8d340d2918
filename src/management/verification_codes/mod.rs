//! `/api/verification-codes`: codes for whatever an integrator wants to have proved, outside of any sign-in.

mod guesses;
mod recipient;
mod send;
mod verify;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(send::send_verification_code)).routes(routes!(verify::verify_verification_code))
}
