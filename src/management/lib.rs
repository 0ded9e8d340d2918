//! The Management API under `/api`: the router, its OpenAPI description, and a folder or file per family.

pub mod account_center;
pub mod administrator_invitations;
pub mod applications;
pub mod captcha_provider;
pub mod configs;
pub mod connectors;
pub mod custom_phrases;
pub mod custom_profile_fields;
pub mod dashboard;
pub mod email_templates;
pub mod hook_receivers;
pub mod hooks;
pub mod impersonations;
pub mod inline_schemas;
pub mod issuances;
pub mod logs;
pub mod one_time_tokens;
pub mod organization_invitations;
pub mod organization_roles;
pub mod organization_scopes;
pub mod organizations;
pub mod parameters;
pub mod plugins;
pub mod refusals;
pub mod resources;
pub mod roles;
pub mod sentinel_activities;
pub mod shown_secrets;
pub mod sign_in_experience;
pub mod sso_connectors;
pub mod status;
pub mod subject_tokens;
pub mod users;
pub mod verification_codes;
mod views;
pub mod well_known;

mod describe;
mod describe_changes;
mod links;
mod lockout;
mod messages;
mod previews;
mod relations;

use axum::extract::OriginalUri;
use axum::http::header::{CONTENT_SECURITY_POLICY, LOCATION};
use axum::http::{HeaderValue, Method};
use axum::middleware::map_response;
use axum::response::Response;
use axum::{Json, Router};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::console::Operation;
use claimsmith_services::app::App;
use claimsmith_web::error::ApiError;
use claimsmith_web::routing::get;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa::openapi::security::{ClientCredentials, Flow, OAuth2, Scopes, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// Content security policy of the page of the description. The page sets inline styles, and has images as data URIs.
const PAGE_POLICY: &str = "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data:; \
    script-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The head of the OpenAPI document; the operations come from the handlers.
#[derive(OpenApi)]
#[openapi(info(
    title = "Claimsmith Management API",
    description = "Everything that an operator or a backend manages."
))]
struct Description;

/// The routes and their description, shared by all servers of a process: generating it takes long.
static DESCRIBED: LazyLock<Described> = LazyLock::new(make);

struct Described {
    routers: Routers,
    description: utoipa::openapi::OpenApi,
    operations: BTreeMap<String, Operation>,
}

/// The OpenAPI description of all routes; `docs/openapi.json` is a reviewed copy of it.
#[must_use]
pub fn description() -> &'static utoipa::openapi::OpenApi {
    &DESCRIBED.description
}

/// Every operation, by method and route as in `GET /api/roles`, with what an administrator needs for it.
pub fn operations() -> impl Iterator<Item = (&'static str, Operation)> {
    DESCRIBED.operations.iter().map(|(name, operation)| (name.as_str(), *operation))
}

/// What an administrator needs for an operation. `None`: there is no such operation.
#[must_use]
pub fn operation(method: &str, route: &str) -> Option<Operation> {
    DESCRIBED.operations.get(&format!("{method} {route}")).copied()
}

/// The routes, with full paths.
#[derive(Clone)]
pub struct Routers {
    /// Routes that require a token.
    pub guarded: Router<App>,
    /// Routes that require a token, and may take longer than other requests.
    pub uploads: Router<App>,
    /// Routes that require a token, and whose body may take longer than others: only its idle time is limited.
    pub streams: Router<App>,
    /// Public routes for browsers.
    pub public: Router<App>,
}

/// The routes.
pub fn routers() -> Routers {
    let mut routers = DESCRIBED.routers.clone();
    let shown = get(async || Json(description()));
    routers.guarded = routers
        .guarded
        .route("/api/swagger.json", shown.clone())
        // The path in the reference API.
        .route("/api/.well-known/management.openapi.json", shown)
        .merge(page())
        .nest("/api/", Router::new().fallback(unknown_route));
    // Added here, so that CORS preflights are answered before it.
    routers.public = routers.public.method_not_allowed_fallback(unknown_method);
    routers.streams = routers.streams.method_not_allowed_fallback(unknown_method);
    routers
}

fn make() -> Described {
    let (uploads, uploads_description) = plugins::upload_router().split_for_parts();
    let (streams, streams_description) = users::import_router().split_for_parts();
    let (public, public_description) = well_known::router().split_for_parts();
    let (guarded, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        // The only public one of these.
        .routes(utoipa_axum::routes!(status::show_status))
        .merge(subject_tokens::router())
        .merge(impersonations::router())
        .merge(issuances::router())
        .merge(users::router())
        .merge(roles::router())
        .merge(resources::router())
        .merge(applications::router())
        .merge(organizations::router())
        .merge(organization_roles::router())
        .merge(organization_scopes::router())
        .merge(organization_invitations::router())
        .merge(administrator_invitations::router())
        .merge(verification_codes::router())
        .merge(one_time_tokens::router())
        .merge(sentinel_activities::router())
        .merge(hooks::router())
        .merge(hook_receivers::router())
        .merge(logs::router())
        .merge(dashboard::router())
        .merge(configs::router())
        .merge(sign_in_experience::router())
        .merge(sso_connectors::router())
        .merge(account_center::router())
        .merge(captcha_provider::router())
        .merge(custom_phrases::router())
        .merge(custom_profile_fields::router())
        .merge(connectors::router())
        .merge(email_templates::router())
        .merge(plugins::router())
        .split_for_parts();
    description.merge(uploads_description);
    description.merge(streams_description);
    description.merge(public_description);
    let operations = describe::take_operations(&mut description.paths);
    inline_schemas::resolve(&mut description);
    describe_changes::complete(&mut description);
    let scopes = Scopes::from_iter(claimsmith_domain::management::SCOPES);
    let flow = Flow::ClientCredentials(ClientCredentials::new("/oidc/token", scopes));
    description
        .components
        .get_or_insert_default()
        .add_security_scheme("oauth2", SecurityScheme::OAuth2(OAuth2::new([flow])));
    Described { routers: Routers { guarded, uploads, streams, public }, description, operations }
}

/// The description as a page. It loads nothing from other servers, and uses no external validator. Its URLs are relative,
/// since the base URL may have a path.
fn page() -> Router<App> {
    let config = Config::from("../swagger.json").validator_url("none").try_it_out_enabled(true);
    let policy = SetResponseHeaderLayer::overriding(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    Router::from(SwaggerUi::new("/api/docs").config(config)).layer(policy).layer(map_response(relative_location))
}

/// `/api/docs` redirects to the page below it.
async fn relative_location(mut response: Response) -> Response {
    if let Some(location) = response.headers_mut().get_mut(LOCATION) {
        *location = HeaderValue::from_static("docs/");
    }
    response
}

/// 405, with the accepted methods in `Allow`.
pub async fn unknown_method(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("{} does not accept the method {method}.", uri.path());
    ApiError::new(ApiCode::RequestMethodNotAllowed, message)
}

async fn unknown_route(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("There is no {method} on {}.", uri.path());
    ApiError::new(ApiCode::RequestUnknownRoute, message)
}
