//! `/api/captcha-provider`: the captcha provider and its configuration.

mod delete;
mod put;
mod show;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(
        show::show_captcha_provider,
        put::put_captcha_provider,
        delete::delete_captcha_provider
    ))
}
