//! Signing out: of the console, and of the server (OpenID Connect RP-Initiated Logout).

use super::guard::{self, Posted};
use crate::app::App;
use crate::audit::Actor;
use crate::domain::console::BuiltInClient;
use crate::domain::id::{SessionId, UserId};
use crate::http::cookies::BrowserCookie;
use crate::http::pages::failure::PageError;
use crate::http::redirect::{see_other, with_cookie};
use crate::storage::console_sessions;
use crate::tokens::{Algorithm, IdToken};
use crate::unit_of_work::UnitOfWork;
use axum::extract::{Request, State};
use axum::response::Response;
use serde_json::{Map, json};

/// How long the ID token lives that says whom to sign out, in seconds. As a hint it counts for longer.
const HINT_LIFETIME_S: i64 = 60;

/// Ends the session at the console, and sends the browser to end the sign-in behind it.
pub(super) async fn sign_out(State(app): State<App>, request: Request) -> Result<Response, PageError> {
    let Posted { origin, found, .. } = match guard::post(&app, request).await? {
        Ok(posted) => posted,
        Err(refused) => return Ok(refused),
    };
    let (user_id, session_id) = (&found.session.user_id, &found.session.session_id);
    let actor = Actor::User { id: user_id.clone(), application_id: BuiltInClient::Console.id().into() };
    let mut work = UnitOfWork::begin(&app.db, actor, origin, app.clock.now_ms()).await?;
    console_sessions::delete(&mut work, &found.session.hash).await?;
    work.audit("Console.SignOut", json!({ "userId": user_id, "sessionId": session_id })).await?;
    work.commit().await?;
    let onward = see_other(&address(&app, user_id, session_id).await?);
    Ok(with_cookie(onward, &BrowserCookie::Console.clear(&app)))
}

/// Where a browser goes to end the session of a sign-in: the hint is an ID token that is made for it.
pub(super) async fn address(app: &App, user_id: &UserId, session_id: &SessionId) -> Result<String, PageError> {
    let now = app.clock.now_ms();
    let snapshot = app.authorizations.current(&mut app.db.read().await?, now).await?;
    let hint = IdToken {
        user_id,
        client_id: &BuiltInClient::Console.id().into(),
        algorithm: Algorithm::from(app.config.tokens.signing_algorithm),
        lifetime: HINT_LIFETIME_S,
        auth_time: now / 1000,
        nonce: None,
        session_id: Some(session_id),
        acr: None,
        amr: &[],
        access_token: None,
        user_claims: Map::new(),
        custom_claims: Map::new(),
    };
    let hint = hint.sign(&snapshot.keys, app.issuer.name(), now)?;
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("id_token_hint", &hint).finish();
    Ok(format!("{}/session/end?{query}", app.issuer.name()))
}
