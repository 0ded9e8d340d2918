//! The callback of the sign-in: the response must belong to a sign-in that this browser began. The code is exchanged,
//! the ID token is checked (OpenID Connect Core section 3.1.3), and a session begins for a user with a role.

use super::notices::{self, Notice};
use super::pending::PendingConsoleSignIn;
use super::session::{self, IDLE_MS};
use super::{CALLBACK, at, begin, end_session};
use crate::http::own_client::{self, SignedIn};
use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::BuiltInClient;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::{ApplicationId, SessionId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::{roles, sessions, users};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};
use serde_json::json;

/// Handles the callback. The pending sign-in is used up in any case.
pub(super) async fn finish(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let Some((pending, answer)) = answer_to(&app, &headers, query.as_deref().unwrap_or_default()) else {
        // The pending sign-ins of this browser are kept.
        return Ok(notices::show(&app, Notice::NotBegun).await);
    };
    let response = match prove(&app, &origin, &pending, answer).await? {
        Ok((signed_in, session_id)) => settle(&app, &origin, &headers, &pending, signed_in, session_id).await?,
        Err(refused) => notices::show(&app, refused.notice()).await,
    };
    Ok(with_cookie(response, &pending.used(&app, &headers)))
}

/// The response of the authorization endpoint.
enum AuthorizationResponse {
    Code(String),
    Refused(String),
}

/// The reason that a sign-in failed.
enum NotSignedIn {
    Said(String),
    NotProved,
}

impl NotSignedIn {
    fn notice(&self) -> Notice<'_> {
        match self {
            Self::Said(text) => Notice::Refused(text),
            Self::NotProved => Notice::NotProved,
        }
    }
}

/// The response of this server to a sign-in that this browser began. Refuses responses to other sign-ins (CSRF, RFC
/// 6749 section 10.12), and those of another issuer (RFC 9207).
fn answer_to(app: &App, headers: &HeaderMap, query: &str) -> Option<(PendingConsoleSignIn, AuthorizationResponse)> {
    let form = Form::of_query(query).ok()?;
    form.refuse_repeated("").ok()?;
    let one = |name: &str| form.all(name).next().unwrap_or_default();
    let pending = PendingConsoleSignIn::of(app, headers, one("state"))?;
    if one("iss") != app.issuer.name() {
        return None;
    }
    let answer = if one("error").is_empty() {
        AuthorizationResponse::Code(one("code").to_owned())
    } else {
        AuthorizationResponse::Refused(format!("The server refused: {} {}", one("error"), one("error_description")))
    };
    Some((pending, answer))
}

/// Exchanges the code, and checks the ID token; returns the user who signed in, and the session.
async fn prove(
    app: &App,
    origin: &RequestOrigin,
    pending: &PendingConsoleSignIn,
    answer: AuthorizationResponse,
) -> Result<Result<(SignedIn, SessionId), NotSignedIn>, PageError> {
    let code = match answer {
        AuthorizationResponse::Code(code) => code,
        AuthorizationResponse::Refused(text) => return Ok(Err(NotSignedIn::Said(text))),
    };
    let redirect_uri = at(app, CALLBACK);
    let parameters = [
        ("grant_type", GrantType::AuthorizationCode.as_str()),
        ("code", &*code),
        ("redirect_uri", &redirect_uri),
        ("code_verifier", &pending.verifier),
    ];
    let client_id = BuiltInClient::Console.id();
    let tokens = match own_client::ask_for_tokens(app, origin, client_id, &parameters).await {
        Ok(tokens) => tokens,
        Err(text) => return Ok(Err(NotSignedIn::Said(text))),
    };
    let id_token = tokens.id.unwrap_or_default();
    let client_id = ApplicationId::from(client_id);
    let signed_in = own_client::check_id_token(app, &client_id, &id_token, &pending.nonce).await?;
    // The client has to check the requested `max_age` and user as well.
    let max_age_ms = if pending.user_id.is_some() { 0 } else { IDLE_MS };
    let since = (pending.started_at - max_age_ms) / 1000;
    Ok(signed_in
        .filter(|signed_in| signed_in.auth_time >= since)
        .and_then(|signed_in| signed_in.session_id.clone().map(|session_id| (signed_in, session_id)))
        .ok_or(NotSignedIn::NotProved))
}

/// Begins the session of the signed-in user, if they have a role of the console.
async fn settle(
    app: &App,
    origin: &RequestOrigin,
    headers: &HeaderMap,
    pending: &PendingConsoleSignIn,
    signed_in: SignedIn,
    session_id: SessionId,
) -> Result<Response, PageError> {
    let user_id = signed_in.user_id;
    if pending.user_id.as_ref().is_some_and(|wanted| *wanted != user_id) {
        return Ok(notices::show(app, Notice::SomebodyElse).await);
    }
    let mut tx = app.db.read().await?;
    let user = users::find(&mut tx, &user_id).await?.filter(|user| !user.is_suspended);
    let held = roles::console::of_user(&mut tx, &user_id).await?;
    let session = sessions::find(&mut tx, &session_id).await?.filter(|session| session.user_id == user_id);
    drop(tx);
    let (Some(_), Some(_)) = (user, session) else {
        return Ok(notices::show(app, Notice::NotProved).await);
    };
    if held.is_empty() && begin::is_invitation(&pending.return_to) {
        // They are signed in at the server, not at the console, and claim the invitation next.
        return Ok(see_other(&at(app, &pending.return_to)));
    }
    if held.is_empty() {
        let hint = end_session::address(app, &user_id, &session_id).await?;
        return Ok(notices::show(app, Notice::NoRole(&hint)).await);
    }
    let actor = Actor::User { id: user_id.clone(), application_id: BuiltInClient::Console.id().into() };
    let mut work = UnitOfWork::begin(&app.db, actor, origin.clone(), app.clock.now_ms()).await?;
    let old = BrowserCookie::Console.hash(app, headers);
    let of = (&user_id, &session_id);
    let cookie = session::begin(&mut work, app, old.as_deref(), of, signed_in.auth_time.saturating_mul(1000)).await?;
    let details = json!({ "userId": user_id, "sessionId": session_id, "again": pending.user_id.is_some() });
    work.audit(AuditKey::ConsoleSignIn, details).await?;
    work.commit().await?;
    Ok(with_cookie(see_other(&at(app, &pending.return_to)), &BrowserCookie::Console.set(app, cookie)))
}
