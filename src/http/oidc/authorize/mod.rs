//! `/oidc/auth`: authorization requests (RFC 6749 section 4.1, OpenID Connect Core section 3.1.2), and
//! `/oidc/auth/{id}`, where browsers come back to from the pages of an interaction.

pub(super) mod answer;
mod begin;
mod parameters;
mod proceed;
pub mod pushed;
pub(super) mod validate;

use crate::app::App;
use crate::domain::origin::RequestOrigin;
use crate::http::cookies::BrowserCookie;
use crate::http::extract::form::Form;
use answer::{Answers, AuthorizationFailure};
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use proceed::Visit;

/// An authorization request in the query.
pub async fn authorize(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let answers = Answers { app: &app, headers: &headers, origin: &origin };
    match Form::of_query(query.as_deref().unwrap_or_default()) {
        Ok(form) => begin(answers, form).await,
        Err(error) => answers.refuse(AuthorizationFailure::Page(error)).await,
    }
}

/// An authorization request in a form (OpenID Connect Core section 3.1.2.1).
pub async fn authorize_by_form(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let answers = Answers { app: &app, headers: &headers, origin: &origin };
    match Form::read(&headers, body).await {
        Ok(form) => begin(answers, form).await,
        Err(error) => answers.refuse(AuthorizationFailure::Page(error)).await,
    }
}

async fn begin(answers: Answers<'_>, form: Form) -> Response {
    let answered = async {
        let app = answers.app;
        let mut tx = app.db.read().await?;
        let snapshot = app.authorizations.current(&mut tx, app.clock.now_ms()).await?;
        let parameters = parameters::gather(app, &mut tx, form).await?;
        let valid = validate::validate(app, &mut tx, &snapshot, &parameters).await?;
        drop(tx);
        Visit::new(answers, snapshot).begin(valid, parameters.pushed_hash).await
    };
    match answered.await {
        Ok(response) => response,
        Err(refused) => answers.refuse(refused).await,
    }
}

/// The browser comes back from a page of its interaction.
pub async fn resume(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let answers = Answers { app: &app, headers: &headers, origin: &origin };
    let answered = async {
        let hash = BrowserCookie::Interaction.hash(&app, &headers).ok_or(AuthorizationFailure::Expired)?;
        let mut tx = app.db.read().await?;
        let snapshot = app.authorizations.current(&mut tx, app.clock.now_ms()).await?;
        drop(tx);
        Visit::new(answers, snapshot).resume(&hash, &id.as_str().into()).await
    };
    match answered.await {
        Ok(response) => response,
        Err(refused) => answers.refuse(refused).await,
    }
}
