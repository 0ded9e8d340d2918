//! Signing out: of the console, and of the server (OpenID Connect RP-Initiated Logout).

use super::end_session;
use super::guard::{self, ConsolePost};
use axum::extract::{Request, State};
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::BuiltInClient;
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::console;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::redirect::{see_other, with_cookie};
use serde_json::json;

/// Ends the session of the console, and redirects the browser to end the user's session at the server.
pub(super) async fn sign_out(State(app): State<App>, request: Request) -> Result<Response, PageError> {
    let ConsolePost { origin, found, .. } = match guard::post(&app, request).await? {
        Ok(posted) => posted,
        Err(refused) => return Ok(refused),
    };
    let (user_id, session_id) = (&found.session.user_id, &found.session.session_id);
    let actor = Actor::User { id: user_id.clone(), application_id: BuiltInClient::Console.id().into() };
    let mut work = UnitOfWork::begin(&app.db, actor, origin, app.clock.now_ms()).await?;
    console::sessions::delete(&mut work, &found.session.hash).await?;
    work.audit(AuditKey::ConsoleSignOut, json!({ "userId": user_id, "sessionId": session_id })).await?;
    work.commit().await?;
    let onward = see_other(&end_session::address(&app, user_id, session_id).await?);
    Ok(with_cookie(onward, &BrowserCookie::Console.clear(&app)))
}
