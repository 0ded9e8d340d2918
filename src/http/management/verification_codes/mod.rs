//! `/api/verification-codes`: codes for whatever an integrator wants to have proved, outside of any sign-in.

mod guesses;
mod recipient;
mod send;
mod verify;

use crate::app::App;
use crate::http::management::describe::routes;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(send::send_verification_code)).routes(routes!(verify::verify_verification_code))
}
