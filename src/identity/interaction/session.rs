//! Sessions: started and renewed when a user authenticates, ended by sign-out or by an administrator.

use claimsmith_config::SessionsConfig;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_domain::outsider_rows::MAX_SESSIONS;
use claimsmith_domain::random::{Random, RandomError};
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::{self, Session, SessionDetails, grants};
use claimsmith_storage::{self as storage, Json, Tx, settings as stored};
use serde_json::json;
use std::time::Duration;

/// A started session, with the browser's new cookie.
pub struct BegunSession {
    /// The session.
    pub id: SessionId,
    /// The new value of the session cookie.
    pub cookie: String,
}

/// The reason that a step failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session has ended in the meantime.
    #[error("the session has ended")]
    Ended,
    /// See [`storage::Error`].
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// See [`tokens::Error`].
    #[error(transparent)]
    Tokens(#[from] tokens::Error),
    /// See [`claimsmith_services::webhooks::Error`].
    #[error(transparent)]
    Event(#[from] claimsmith_services::webhooks::Error),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// The setting of the lifetime of sessions, in seconds.
const TTL_SETTING: &str = "config.session_ttl";

/// The lifetime of new sessions in seconds: the stored one, or else that of the configuration file.
pub async fn ttl(tx: &mut Tx, settings: &SessionsConfig) -> Result<u64, Error> {
    match stored::get(tx, TTL_SETTING).await? {
        None => Ok(settings.ttl.as_secs()),
        Some(seconds) => seconds.parse().map_err(|_| tokens::Error::Corrupt("lifetime of sessions").into()),
    }
}

/// Stores the lifetime of new sessions in seconds; `None` makes that of the configuration file count again.
pub async fn set_ttl(tx: &mut Tx, seconds: Option<u32>) -> storage::Result<()> {
    match seconds {
        Some(seconds) => stored::put(tx, TTL_SETTING, &seconds.to_string()).await,
        None => stored::remove(tx, TTL_SETTING).await,
    }
}

/// Starts a session of a user who has just authenticated, or renews their session in the same browser. The browser gets
/// a new cookie for all its sessions: a previous one, which may have been planted or observed, becomes invalid.
pub async fn begin(
    work: &mut UnitOfWork,
    random: &Random,
    settings: &SessionsConfig,
    browser_hash: Option<&str>,
    user_id: &UserId,
    details: SessionDetails,
) -> Result<BegunSession, Error> {
    let (cookie, now) = (random.secret(43)?, work.now());
    let hash = tokens::hash(&cookie);
    let mut renewed = None;
    if let Some(old) = browser_hash {
        let known = sessions::of_browser(work, old, now, idle_since(settings, now)).await?;
        renewed = known.into_iter().find(|session| session.user_id == *user_id).map(|session| session.id);
        sessions::rename_browser(work, old, &hash).await?;
    }
    let details = Json(Some(details));
    let expires_at = now + milliseconds(Duration::from_secs(ttl(work, settings).await?));
    let id = if let Some(id) = renewed {
        sessions::renew(work, &id, &details, now, expires_at).await?;
        id
    } else {
        let id = SessionId::from(random.id(21)?);
        let session = Session {
            id: id.clone(),
            browser_hash: hash,
            user_id: user_id.clone(),
            details,
            authenticated_at: now,
            last_active_at: now,
            expires_at,
        };
        // Limits the sessions of a user who signs in repeatedly.
        for oldest in
            sessions::of_user(work, user_id, now, idle_since(settings, now)).await?.iter().skip(MAX_SESSIONS - 1)
        {
            end(work, &oldest.id).await?;
        }
        sessions::insert(work, &session).await?;
        id
    };
    Ok(BegunSession { id, cookie })
}

/// Ends a session with its tokens, except for those of `offline_access`; notifies its applications (back-channel
/// logout). `false` if there is no such session.
pub async fn end(work: &mut UnitOfWork, id: &SessionId) -> Result<bool, claimsmith_services::webhooks::Error> {
    // Locked, so that no code is issued in it concurrently.
    let Some(session) = sessions::find_to_change(work, id).await? else { return Ok(false) };
    let now = work.now();
    grants::end_session(work, id, now).await?;
    sessions::delete(work, id).await?;
    work.audit(work.key(AuditOperation::SessionEnd), json!({ "sessionId": id, "userId": session.user_id })).await?;
    Ok(true)
}

/// Sessions unused since this time have ended, Unix milliseconds.
#[must_use]
pub fn idle_since(settings: &SessionsConfig, now: i64) -> i64 {
    now - milliseconds(settings.idle_ttl)
}

/// Whether a session has neither expired nor timed out.
#[must_use]
pub fn is_live(session: &Session, settings: &SessionsConfig, now: i64) -> bool {
    session.expires_at > now && session.last_active_at > idle_since(settings, now)
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}
