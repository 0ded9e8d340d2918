//! The accounts that are signed in in the browser of an interaction, and the choice between them.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use super::session::idle_since;
use super::step::InteractionStep;
use claimsmith_domain::id::SessionId;
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::users::{self, User};
use serde_json::json;

/// The accounts, most recently used first.
pub async fn accounts(current: &CurrentInteraction) -> Result<Vec<(Session, User)>, InteractionRefusal> {
    let Some(hash) = &current.browser.session_hash else { return Ok(Vec::new()) };
    let now = current.app.clock.now_ms();
    let mut tx = current.app.db.read().await?;
    let live = sessions::of_browser(&mut tx, hash, now, idle_since(&current.app.config.sessions, now)).await?;
    let mut accounts = Vec::with_capacity(live.len());
    for session in live {
        if let Some(user) = users::find(&mut tx, &session.user_id).await? {
            accounts.push((session, user));
        }
    }
    Ok(accounts)
}

/// Continues with one of them. Whether its user must authenticate again depends on the request.
pub async fn choose(current: &mut CurrentInteraction, id: &SessionId) -> Result<(), InteractionRefusal> {
    let accounts = accounts(current).await?;
    let (session, user) =
        accounts.into_iter().find(|(session, _)| session.id == *id).ok_or(InteractionRefusal::UnknownUser)?;
    let mut work = current.begin().await?;
    current.progress.session_id = Some(session.id);
    current.progress.authenticated = false;
    // A consent of another account's user does not count.
    current.progress.consented = None;
    let details = json!({ "sessionId": id, "userId": user.id });
    current.save(&mut work, InteractionStep::SwitchAccount, details).await?;
    Ok(work.commit().await?)
}
