//! `/oidc/auth`: authorization requests (RFC 6749 section 4.1, OpenID Connect Core section 3.1.2), and
//! `/oidc/auth/{id}`, where browsers come back to from the pages of an interaction.

mod answer;
mod begin;
mod parameters;
mod proceed;
pub mod pushed;
mod validate;

use crate::app::App;
use crate::domain::origin::Origin;
use crate::http::cookies::BrowserCookie;
use crate::http::extract::form::Form;
use answer::Refused;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use proceed::{Browser, Visit};

/// An authorization request in the query.
pub async fn authorize(
    State(app): State<App>,
    Extension(origin): Extension<Origin>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let form = Form::of_query(query.as_deref().unwrap_or_default());
    let answered = async { handle(&app, origin, &headers, form.map_err(Refused::page)?).await };
    answered.await.unwrap_or_else(|refused| refused.answer(&app))
}

/// An authorization request in a form (OpenID Connect Core section 3.1.2.1).
pub async fn authorize_by_form(
    State(app): State<App>,
    Extension(origin): Extension<Origin>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let form = Form::read(&headers, body).await;
    let answered = async { handle(&app, origin, &headers, form.map_err(Refused::page)?).await };
    answered.await.unwrap_or_else(|refused| refused.answer(&app))
}

async fn handle(app: &App, origin: Origin, headers: &HeaderMap, form: Form) -> Result<Response, Refused> {
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, app.clock.now_ms()).await?;
    let parameters = parameters::gather(app, &mut tx, form).await?;
    let valid = validate::validate(app, &mut tx, &snapshot, &parameters).await?;
    drop(tx);
    let visit = Visit { app, origin, snapshot, browser: Browser::of(app, headers) };
    visit.begin(valid, parameters.pushed_hash).await
}

/// The browser comes back from a page of its interaction.
pub async fn resume(
    State(app): State<App>,
    Extension(origin): Extension<Origin>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let answered = async {
        let hash = BrowserCookie::Interaction.hash(&app, &headers).ok_or_else(Refused::no_interaction)?;
        let mut tx = app.db.read().await?;
        let snapshot = app.authorizations.current(&mut tx, app.clock.now_ms()).await?;
        drop(tx);
        let visit = Visit { app: &app, origin, snapshot, browser: Browser::of(&app, &headers) };
        visit.resume(&hash, &id.as_str().into()).await
    };
    answered.await.unwrap_or_else(|refused: Refused| refused.answer(&app))
}
