//! Sign-in of the console: at this server's own authorization endpoint; its sessions, one-time links for
//! administrators, and the calls of the Management API by the screens. The screens are a separate crate
//! (`src/console`). See `docs/console.md`.

mod again;
mod api;
mod begin;
mod callback;
mod confirm;
mod end_session;
mod entered;
mod first_sign_in;
mod guard;
mod headers;
mod invited;
mod link;
mod notices;
mod pending;
mod recent_log;
mod session;
mod setup;
mod sign_out;

use crate::http::timeouts;
use api::InProcess;
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use claimsmith_console::Console;
use claimsmith_domain::audit_key;
use claimsmith_domain::console_link;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_management::Routers;
use claimsmith_services::app::App;
use claimsmith_web::redirect::see_other;
use claimsmith_web::routing::{get, post};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;

/// The first page.
const HOME: &str = "/console";
/// Begins a sign-in; `return` is the path to go to afterwards.
const SIGN_IN: &str = "/console/sign-in";
/// The redirect URI of the sign-in.
const CALLBACK: &str = "/console/callback";
/// Repeats the sign-in, to prove that it is still the same user.
const STEP_UP: &str = "/console/step-up";
/// Signs out.
const SIGN_OUT: &str = "/console/sign-out";
/// Style sheets and scripts, which are public.
const ASSETS: &str = "/console/assets/";

/// The routes. The screens call the operations of these routers.
pub(crate) fn router(app: &App, operations: Routers) -> Router<App> {
    let base_url = Arc::from(app.config.server.base_url.as_str());
    let console = Console {
        management_resource: Arc::from(app.config.tokens.management_resource.as_str()),
        api: Arc::new(InProcess::new(app, operations)),
        base_url,
        log_keys: audit_key::SUGGESTED,
    };
    let screens = claimsmith_console::router::<()>(console).layer(from_fn_with_state(app.clone(), guard::guard));
    let door = Router::new()
        .route(SIGN_IN, get(begin::sign_in))
        .route(CALLBACK, get(callback::finish))
        .route(STEP_UP, get(begin::sign_in_again))
        .route(SIGN_OUT, post(sign_out::sign_out))
        .route(console_link::PATH, get(setup::show).merge(post(setup::submit)))
        .with_state(app.clone())
        .layer(from_fn_with_state(app.config.server.request_timeout, timeouts::limit_whole))
        .fallback_service(screens)
        .layer(from_fn(headers::harden));
    // The screens have their own page for unknown paths, so their router is not merged into the server's.
    let door = TowerToHyperService::new(door);
    let enter = any(move |request: Request| enter(door.clone(), request));
    Router::new()
        .route(HOME, enter.clone())
        .route("/console/", get(async |State(app): State<App>| see_other(&at(&app, HOME))))
        .route("/console/{*path}", enter)
}

/// Forwards a request without the path parameters that the server's router extracted.
async fn enter(door: TowerToHyperService<Router>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let mut inner = Request::new(body);
    if let Some(origin) = parts.extensions.get::<RequestOrigin>() {
        inner.extensions_mut().insert(origin.clone());
    }
    *inner.method_mut() = parts.method;
    *inner.uri_mut() = parts.uri;
    *inner.headers_mut() = parts.headers;
    door.call(inner).await.into_response()
}

/// The URL of a path of this server.
fn at(app: &App, path: &str) -> String {
    format!("{}{path}", app.config.server.base_url)
}

/// The URL of the sign-in that returns to this path.
fn to_sign_in(app: &App, path: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("return", path).finish();
    at(app, &format!("{SIGN_IN}?{query}"))
}
