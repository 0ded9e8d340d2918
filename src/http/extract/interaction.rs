//! The browser that makes a step of an interaction, proved by its cookie.

use crate::app::App;
use crate::domain::origin::RequestOrigin;
use crate::http::cookies::BrowserCookie;
use crate::http::error::ApiError;
use crate::http::same_origin;
use crate::interaction::current::{Browser, Current};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// The interaction of the browser that asks. A request of another origin is refused.
pub(crate) struct InProgress(pub Current);

impl FromRequestParts<App> for InProgress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        same_origin::check(app, &parts.headers)?;
        Ok(Self(Current::load(app, browser(app, parts)).await?))
    }
}

/// The languages that a browser asks for.
pub(crate) fn accept_language(headers: &HeaderMap) -> String {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().to_owned()
}

/// The browser, by its cookies.
pub(crate) fn browser(app: &App, parts: &Parts) -> Browser {
    Browser {
        interaction_hash: BrowserCookie::Interaction.hash(app, &parts.headers),
        session_hash: BrowserCookie::Session.hash(app, &parts.headers),
        known_hash: BrowserCookie::Known.hash(app, &parts.headers),
        trusted_hash: BrowserCookie::Trusted.hash(app, &parts.headers),
        origin: parts.extensions.get::<RequestOrigin>().cloned().unwrap_or_default(),
        accept_language: accept_language(&parts.headers),
    }
}
