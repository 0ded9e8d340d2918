//! `/oidc/auth`: authorization requests (RFC 6749 section 4.1, OpenID Connect Core section 3.1.2), and
//! `/oidc/auth/{id}`, to which browsers return from the pages of an interaction.

pub(super) mod answer;
mod begin;
mod code_change;
mod parameters;
mod proceed;
pub mod pushed;
mod request_object;
pub(super) mod validate;

use answer::{Answers, AuthorizationFailure};
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_services::tokens::RequestState;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::interaction_cookies::InteractionCookies;
use claimsmith_web::redirect::see_other;
use claimsmith_web::same_origin;
use proceed::{Visit, presented, sessions_of};

/// A `HEAD` request, such as one of a link scanner: it begins nothing and uses nothing up.
pub async fn probe() -> StatusCode {
    StatusCode::OK
}

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
        Ok(form) => match as_query(&app, &headers, &form) {
            Some(query) => see_other(&format!("{}/auth?{query}", app.issuer.name())),
            None => begin(answers, form).await,
        },
        Err(error) => answers.refuse(AuthorizationFailure::Page(error)).await,
    }
}

/// A form that is posted from another site arrives without cookies (SameSite): the browser is redirected to the same
/// request by GET, which sends them, so that a session is not overlooked.
fn as_query(app: &App, headers: &HeaderMap, form: &Form) -> Option<String> {
    if same_origin::check(app, headers).is_ok() || BrowserCookie::Session.value(app, headers).is_some() {
        return None;
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(form.pairs()).finish();
    Some(query).filter(|query| query.len() <= MAX_QUERY_BYTES)
}

async fn begin(answers: Answers<'_>, form: Form) -> Response {
    let answered = async {
        let app = answers.app;
        // A pushed request is sent with its client, too. One that is sent twice is refused below.
        let client_id = form.all("client_id").next().unwrap_or_default();
        let presented = presented(answers, client_id.into());
        let RequestState { revision, found } = app.request_states.read(presented).await?;
        let mut tx = app.db.reader();
        let snapshot = app.authorizations.at(revision, &mut tx, app.clock.now_ms()).await?;
        let parameters = parameters::gather(app, &mut tx, form).await?;
        let valid = validate::validate(app, &mut tx, &snapshot, &parameters).await?;
        drop(tx);
        Visit::new(answers, snapshot).begin(valid, sessions_of(found)).await
    };
    match answered.await {
        Ok(response) => response,
        Err(refused) => answers.refuse(refused).await,
    }
}

/// The query with which an ended interaction begins anew.
const AGAIN: &str = "again=true";
/// The maximum length of a query to which a request in a form is redirected: what servers and proxies accept in a URL.
const MAX_QUERY_BYTES: usize = 6 << 10;

/// The browser returns from a page of its interaction.
pub async fn resume(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let answers = Answers { app: &app, headers: &headers, origin: &origin };
    let answered = async {
        let hashes = InteractionCookies::read(&app, &headers).hashes();
        let mut tx = app.db.read().await?;
        let snapshot = app.authorizations.current(&mut tx, app.clock.now_ms()).await?;
        drop(tx);
        let visit = Visit::new(answers, snapshot);
        let id = InteractionId::from(id);
        if query.as_deref() == Some(AGAIN) {
            Box::pin(visit.begin_again(&hashes, &id)).await
        } else {
            visit.resume(&hashes, &id).await
        }
    };
    match answered.await {
        Ok(response) => response,
        Err(refused) => answers.refuse(refused).await,
    }
}
