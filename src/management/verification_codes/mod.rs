//! `/api/verification-codes`: codes that prove an email address or phone number to integrators, outside of any sign-in.

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
