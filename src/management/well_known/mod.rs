//! `/api/.well-known`: the public data that sign-in and account pages need; nothing in it is secret. They are public
//! documents (`src/http/public_documents`).

mod account_center;
mod phrases;
mod sign_in_experience;

use claimsmith_services::app::App;
use claimsmith_web::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sign_in_experience::show_public_sign_in_experience))
        .routes(routes!(sign_in_experience::show_experience))
        .routes(routes!(phrases::show_phrases))
        .routes(routes!(account_center::show_public_account_center))
        // For browsers, not for clients of the API.
        .route("/.well-known/webauthn", get(account_center::show_related_origins))
}
