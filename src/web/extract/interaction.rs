//! The browser that makes a step of an interaction, proved by its cookie.

use crate::cookies::BrowserCookie;
use crate::error::ApiError;
use crate::interaction_cookies::{self, InteractionCookies};
use crate::same_origin;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_identity::interaction::current::{Browser, CurrentInteraction, WhichInteraction};
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_services::app::App;

/// The interaction of the browser that asks: the one that the query names, otherwise the one that was begun last. A
/// request of another origin is refused, as is a step of an address that has made too many: before its body is read.
pub struct InProgress(pub CurrentInteraction);

impl FromRequestParts<App> for InProgress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        same_origin::check(app, &parts.headers)?;
        let which = interaction_cookies::named(parts.uri.query());
        let origin = parts.extensions.get::<RequestOrigin>().cloned().unwrap_or_default();
        if parts.method != Method::GET {
            rows::check(app, RowKind::Steps, &origin, RowCaller::default())?;
        }
        Ok(Self(CurrentInteraction::load(app, browser_of(app, &parts.headers, origin, which)).await?))
    }
}

/// The languages that a browser asks for.
pub fn accept_language(headers: &HeaderMap) -> String {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().to_owned()
}

/// The browser that sent these headers, by its cookies.
#[must_use]
pub fn browser_of(app: &App, headers: &HeaderMap, origin: RequestOrigin, which: WhichInteraction) -> Browser {
    Browser {
        interaction_hashes: InteractionCookies::read(app, headers).hashes(),
        which,
        session_hash: BrowserCookie::Session.hash(app, headers),
        known_hash: BrowserCookie::Known.hash(app, headers),
        trusted_hash: BrowserCookie::Trusted.hash(app, headers),
        origin,
        accept_language: accept_language(headers),
    }
}
