//! `/oidc/session/end`: RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). A request with the ID token of a
//! session of this browser ends it at once; otherwise the user is asked, so that no other site can sign users out.

use super::authorize::answer::{Answers, AuthorizationFailure};
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::id::{ApplicationId, SessionId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::interaction::session::{self, idle_since};
use claimsmith_pages::frame::{Frame, PageContext};
use claimsmith_pages::paths;
use claimsmith_pages::sign_out::SignOutPage;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::users;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};
use claimsmith_web::same_origin;
use subtle::ConstantTimeEq;
use url::Url;

/// The request.
struct EndSessionRequest {
    /// The session of the hint.
    hinted: Option<SessionId>,
    client_id: Option<ApplicationId>,
    /// Where the browser is redirected afterwards, with `state`.
    redirect: Option<Url>,
    ui_locales: Option<String>,
}

/// A request in the query.
pub async fn end_session(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let answers = Answers { app: &app, headers: &headers, origin: &origin };
    match Form::of_query(query.as_deref().unwrap_or_default()) {
        Ok(form) => answer(answers, &form, query.as_deref().unwrap_or_default()).await,
        Err(error) => answers.refuse(AuthorizationFailure::Page(error)).await,
    }
}

/// A request in a form, or the user's answer to the question.
pub async fn end_session_by_form(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    body: Body,
) -> Response {
    let answers = Answers { app: &app, headers: &headers, origin: &origin };
    let read = async {
        let mut pairs = Form::of_query(query.as_deref().unwrap_or_default())?.into_pairs();
        pairs.extend(Form::read(&headers, body).await?.into_pairs());
        Ok::<Form, OAuthError>(Form::of_pairs(pairs))
    };
    match read.await {
        Ok(form) => {
            let kept = form_urlencoded::Serializer::new(String::new()).extend_pairs(asked_again(&form)).finish();
            answer(answers, &form, &kept).await
        }
        Err(error) => answers.refuse(AuthorizationFailure::Page(error)).await,
    }
}

/// The parameters except for the answer to the question.
fn asked_again(form: &Form) -> impl Iterator<Item = (&str, &str)> {
    form.pairs().filter(|(name, _)| !["csrf", "confirm"].contains(name))
}

async fn answer(answers: Answers<'_>, form: &Form, query: &str) -> Response {
    let answered = async {
        let request = read(&answers, form).await?;
        let live = live(&answers).await?;
        let ended: Vec<&Session> = match live.iter().find(|session| request.hinted.as_ref() == Some(&session.id)) {
            Some(hinted) => vec![hinted],
            None if live.is_empty() => Vec::new(),
            None if confirms(&answers, form) => live.iter().collect(),
            None => return ask(&answers, &request, &live, query).await,
        };
        let is_last = ended.len() == live.len();
        end(&answers, &request, &ended).await?;
        let response = match &request.redirect {
            Some(url) => see_other(url.as_str()),
            None => see_other(&format!("{}{}", answers.app.config.server.base_url, paths::SIGNED_OUT)),
        };
        Ok(if is_last { with_cookie(response, &BrowserCookie::Session.clear(answers.app)) } else { response })
    };
    match answered.await {
        Ok(response) => response,
        Err(refused) => answers.refuse(refused).await,
    }
}

/// Reads the parameters. An invalid URL never leads to a redirect, nor does one that only an invalid hint vouches for.
async fn read(answers: &Answers<'_>, form: &Form) -> Result<EndSessionRequest, AuthorizationFailure> {
    let invalid = |description: &str| AuthorizationFailure::Page(OAuthError::invalid_request(description));
    form.refuse_repeated("")?;
    let one = |name: &str| form.all(name).next();
    let mut tx = answers.app.db.read().await?;
    let snapshot = answers.app.authorizations.current(&mut tx, answers.app.clock.now_ms()).await?;
    // A hint that cannot be verified, such as one of keys that are gone, says nothing: the user is asked.
    let token = one("id_token_hint");
    let hint = token.and_then(|token| snapshot.keys.verify_hint(token, answers.app.issuer.name()));
    let named = one("client_id").map(ApplicationId::from);
    if let (Some(hint), Some(named)) = (&hint, &named)
        && hint.client_id != *named
    {
        return Err(invalid("client_id is not that of id_token_hint"));
    }
    let client_id = hint.as_ref().map(|hint| hint.client_id.clone()).or(named);
    let redirect = match one("post_logout_redirect_uri") {
        None => None,
        // Without a client, there is no registered URI to compare with.
        Some(_) if token.is_some() && client_id.is_none() => None,
        Some(uri) => {
            let client = match &client_id {
                Some(id) => snapshot.client(&mut tx, id).await?,
                None => None,
            };
            let client = client.ok_or_else(|| invalid("post_logout_redirect_uri needs an id_token_hint"))?;
            let registered = &client.application.oidc_client_metadata.post_logout_redirect_uris;
            let url = Url::parse(uri).ok().filter(|_| registered.iter().any(|known| known == uri));
            let mut url = url.ok_or_else(|| invalid("post_logout_redirect_uri not registered"))?;
            if let Some(state) = one("state") {
                url.query_pairs_mut().append_pair("state", state);
            }
            Some(url)
        }
    };
    Ok(EndSessionRequest {
        hinted: hint.and_then(|hint| hint.session_id).map(SessionId::from),
        client_id,
        redirect,
        ui_locales: one("ui_locales").map(str::to_owned),
    })
}

/// The live sessions of the browser.
async fn live(answers: &Answers<'_>) -> Result<Vec<Session>, AuthorizationFailure> {
    let app = answers.app;
    let Some(hash) = BrowserCookie::Session.hash(app, answers.headers) else { return Ok(Vec::new()) };
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    Ok(sessions::of_browser(&mut tx, &hash, now, idle_since(&app.config.sessions, now)).await?)
}

/// Whether the user confirmed the question in this browser.
fn confirms(answers: &Answers<'_>, form: &Form) -> bool {
    let shown = form.all("csrf").next().unwrap_or_default();
    form.all("confirm").next() == Some("true")
        && same_origin::check(answers.app, answers.headers).is_ok()
        && bool::from(shown.as_bytes().ct_eq(csrf(answers).as_bytes()))
}

/// The CSRF token, derived from the cookie, so only the browser with the cookie knows it.
fn csrf(answers: &Answers<'_>) -> String {
    let cookie = BrowserCookie::Session.value(answers.app, answers.headers);
    tokens::hash(&format!("csrf:{}", cookie.unwrap_or_default()))
}

async fn ask(
    answers: &Answers<'_>,
    request: &EndSessionRequest,
    live: &[Session],
    query: &str,
) -> Result<Response, AuthorizationFailure> {
    let mut tx = answers.app.db.read().await?;
    // All sessions end: no user stays signed in in this browser.
    let mut names = Vec::with_capacity(live.len());
    for session in live {
        if let Some(user) = users::find(&mut tx, &session.user_id).await? {
            let name = user.name.filter(|name| !name.is_empty());
            names.extend(name.or(user.username).or(user.primary_email));
        }
    }
    let asked = PageContext {
        application: request.client_id.as_ref(),
        ui_locales: request.ui_locales.as_deref(),
        ..PageContext::by(answers.headers)
    };
    let frame = Frame::load(answers.app, &mut tx, &asked).await?;
    let action = frame.path(&format!("/oidc/session/end?{query}"));
    Ok(SignOutPage { frame: &frame, csrf: &csrf(answers), action: &action, name: &names.join(", ") }.answer())
}

async fn end(
    answers: &Answers<'_>,
    request: &EndSessionRequest,
    ended: &[&Session],
) -> Result<(), AuthorizationFailure> {
    if ended.is_empty() {
        return Ok(());
    }
    let actor = request.client_id.clone().map_or(Actor::Server, |id| Actor::Application { id });
    let app = answers.app;
    let mut work = UnitOfWork::begin(&app.db, actor, answers.origin.clone(), app.clock.now_ms()).await?;
    for session in ended {
        session::end(&mut work, &session.id).await?;
    }
    Ok(work.commit().await?)
}
