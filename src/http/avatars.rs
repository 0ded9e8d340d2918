//! `/avatars/{id}`: uploaded pictures, public to anyone who knows the URL.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::avatar::ID_CHARS;
use claimsmith_services::app::App;
use claimsmith_storage::users::avatars;
use claimsmith_web::error::ApiError;
use claimsmith_web::routing::get;

/// Content security policy of a picture that is opened directly: it may do nothing.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");
/// The content of a picture's URL never changes.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The route.
pub(crate) fn router() -> Router<App> {
    Router::new().route("/avatars/{id}", get(show))
}

async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let unknown = || ApiError::not_found("picture", &id);
    if id.len() != ID_CHARS {
        return Err(unknown());
    }
    let found = avatars::find(&mut app.db.read().await?, &id.as_str().into(), app.clock.now_ms()).await?;
    let avatar = found.ok_or_else(unknown)?;
    let media_type = HeaderValue::try_from(avatar.media_type).map_err(|error| ApiError::failed(&error))?;
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, KEPT),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // Applications show it on their own pages.
        (RESOURCE_POLICY, HeaderValue::from_static("cross-origin")),
    ];
    Ok((headers, avatar.content).into_response())
}
