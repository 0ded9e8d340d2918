//! The Management API under `/api`: the router, its OpenAPI description, and a folder or file per family.

pub mod applications;
pub mod configs;
pub mod dashboard;
pub mod hooks;
pub mod impersonations;
pub mod logs;
pub mod organization_invitations;
pub mod organization_roles;
pub mod organization_scopes;
pub mod organizations;
pub mod parameters;
pub mod plugins;
pub mod refusals;
pub mod resources;
pub mod roles;
pub mod status;
pub mod subject_tokens;
pub mod users;

mod grants;
mod relations;

use crate::app::App;
use crate::http::error::ApiError;
use axum::extract::OriginalUri;
use axum::http::{Method, StatusCode};
use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa::openapi::security::{ClientCredentials, Flow, OAuth2, Scopes, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// The head of the OpenAPI document; the operations come from the handlers.
#[derive(OpenApi)]
#[openapi(info(
    title = "Claimsmith Management API",
    description = "Everything that an operator or a backend manages."
))]
struct Description;

/// The routes, with their whole paths; behind them those that may take longer than any other request.
pub fn routers() -> (Router<App>, Router<App>) {
    let (uploads, uploads_description) = plugins::upload_router().split_for_parts();
    let (router, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(status::show_status))
        .merge(subject_tokens::router())
        .merge(impersonations::router())
        .merge(users::router())
        .merge(roles::router())
        .merge(resources::router())
        .merge(applications::router())
        .merge(organizations::router())
        .merge(organization_roles::router())
        .merge(organization_scopes::router())
        .merge(organization_invitations::router())
        .merge(hooks::router())
        .merge(logs::router())
        .merge(dashboard::router())
        .merge(configs::router())
        .merge(plugins::router())
        .split_for_parts();
    description.merge(uploads_description);
    let scopes = Scopes::from_iter(crate::domain::management::SCOPES);
    let flow = Flow::ClientCredentials(ClientCredentials::new("/oidc/token", scopes));
    description
        .components
        .get_or_insert_default()
        .add_security_scheme("oauth2", SecurityScheme::OAuth2(OAuth2::new([flow])));
    let router = router
        .route("/api/swagger.json", get(async || Json(description)))
        .merge(page())
        .nest("/api/", Router::new().fallback(unknown_route));
    (router, uploads)
}

/// The description as a page. Nothing in it is loaded from elsewhere, and it asks nobody to validate the description.
fn page() -> SwaggerUi {
    let config = Config::from("/api/swagger.json").validator_url("none").try_it_out_enabled(true);
    SwaggerUi::new("/api/docs").config(config)
}

async fn unknown_route(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("There is no {method} on {}.", uri.path());
    ApiError::new(StatusCode::NOT_FOUND, "request.unknown_route", message)
}
