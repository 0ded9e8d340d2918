//! The OIDC and OAuth endpoints under `/oidc`.

pub mod authorize;
pub mod device_authorization;
pub mod discovery;
pub mod end_session;
pub mod introspection;
pub mod revocation;
pub mod token;
pub mod userinfo;

use authorize::probe;
use axum::Router;
use axum::extract::OriginalUri;
use axum::http::Method;
use claimsmith_services::app::App;
use claimsmith_web::error::OAuthError;
use claimsmith_web::routing::{get, head, post};

/// The routes, relative to `/oidc`.
pub fn router() -> Router<App> {
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery::show_metadata))
        .route("/.well-known/oauth-authorization-server", get(discovery::show_metadata))
        .route("/auth", head(probe).merge(get(authorize::authorize)).merge(post(authorize::authorize_by_form)))
        .route("/auth/{id}", head(probe).merge(get(authorize::resume)))
        .route(
            "/session/end",
            head(probe).merge(get(end_session::end_session)).merge(post(end_session::end_session_by_form)),
        )
        .route("/device/auth", post(device_authorization::authorize_device))
        .route("/request", post(authorize::pushed::push_request))
        .route("/jwks", get(discovery::show_keys))
        .route("/me", get(userinfo::show_user).merge(post(userinfo::show_user)))
        .route("/token", post(token::issue_token))
        .route("/token/introspection", post(introspection::introspect_token))
        .route("/token/revocation", post(revocation::revoke_token))
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_route)
}

/// Where RFC 8414 section 3.1 puts the metadata of an issuer with a path: the well-known name before the path.
pub fn well_known() -> Router<App> {
    Router::new().route("/.well-known/oauth-authorization-server/oidc", get(discovery::show_metadata))
}

async fn unknown_route(method: Method, OriginalUri(uri): OriginalUri) -> OAuthError {
    OAuthError::unknown_route(method.as_str(), uri.path().strip_prefix("/oidc").unwrap_or(uri.path()))
}
