//! Sessions: the accounts that are signed in in a browser. The browser sends one cookie for all of them, of which only
//! the hash is stored.

pub mod attempts;
pub mod backchannel_logouts;
pub mod codes;
pub mod devices;
pub mod grants;
pub mod interactions;
pub mod known_browsers;
pub mod presented;
pub mod pushed_requests;
pub mod refresh_families;
pub mod refresh_tokens;
pub mod sign_in_places;
pub mod trusted_devices;

use crate::sql::filter;
use crate::{Dialect, Json, Result, Tx};
use claimsmith_domain::id::{ApplicationId, SessionId, TrustedDeviceId, UserId};
use claimsmith_domain::submitted_interaction::SubmittedInteraction;
use serde::{Deserialize, Serialize};

/// One account in one browser.
#[derive(Clone, Debug, crate::Row)]
pub struct Session {
    /// The `sid` of its ID tokens.
    pub id: SessionId,
    /// SHA-256 of the browser's cookie, hexadecimal.
    pub browser_hash: String,
    /// The user.
    pub user_id: UserId,
    /// See [`SessionDetails`].
    pub details: Json<Option<SessionDetails>>,
    /// Time of the last authentication, Unix milliseconds.
    pub authenticated_at: i64,
    /// When it was last used, Unix milliseconds.
    pub last_active_at: i64,
    /// Absolute expiry, Unix milliseconds.
    pub expires_at: i64,
}

/// How and from where the user signed in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionDetails {
    /// Authentication methods (RFC 8176), such as `pwd`.
    pub amr: Vec<String>,
    /// The IP address at the last authentication.
    pub ip: Option<String>,
    /// The browser's `User-Agent`.
    pub user_agent: Option<String>,
    /// The interaction of the last authentication, as claims plugins get it.
    pub interaction: Option<SubmittedInteraction>,
    /// The application of the last authentication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ApplicationId>,
    /// The trusted device of the sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted_device_id: Option<TrustedDeviceId>,
    /// Whether the last authentication was at a built-in application. Those accept no other sign-in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_client: bool,
}

const COLUMNS: &str = "id, browser_hash, user_id, details, authenticated_at, last_active_at, expires_at";

/// Adds a session. [`crate::Error::Missing`] when there is no such user.
pub async fn insert(tx: &mut Tx, session: &Session) -> Result<()> {
    tx.assembled(format!("INSERT INTO sessions ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&session.id)
        .bind(&session.browser_hash)
        .bind(&session.user_id)
        .bind(&session.details)
        .bind(session.authenticated_at)
        .bind(session.last_active_at)
        .bind(session.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The live sessions of a browser with active users, most recently used first. Sessions not used since `idle_since`
/// have ended. `EXISTS` checks users one by one: otherwise SQLite would list all that are not suspended.
pub async fn of_browser(tx: &mut Tx, browser_hash: &str, now: i64, idle_since: i64) -> Result<Vec<Session>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sessions WHERE browser_hash = $1 AND expires_at > $2 AND last_active_at > $3 \
         AND EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND is_suspended = FALSE) \
         ORDER BY last_active_at DESC, authenticated_at DESC, id LIMIT 32"
    );
    tx.assembled(sql).bind(browser_hash).bind(now).bind(idle_since).all().await
}

/// The live sessions of a user, most recently used first, at most 1000.
pub async fn of_user(tx: &mut Tx, user_id: &UserId, now: i64, idle_since: i64) -> Result<Vec<Session>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sessions WHERE user_id = $1 AND expires_at > $2 AND last_active_at > $3 \
         ORDER BY last_active_at DESC, id LIMIT 1000"
    );
    tx.assembled(sql).bind(user_id).bind(now).bind(idle_since).all().await
}

/// The session with this id.
pub async fn find(tx: &mut Tx, id: &SessionId) -> Result<Option<Session>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM sessions WHERE id = $1")).bind(id).optional().await
}

/// The same, locked until the transaction ends.
pub async fn find_to_change(tx: &mut Tx, id: &SessionId) -> Result<Option<Session>> {
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE",
    };
    tx.assembled(format!("SELECT {COLUMNS} FROM sessions WHERE id = $1{lock}")).bind(id).optional().await
}

/// Renews a session after its user authenticated again.
pub async fn renew(
    tx: &mut Tx,
    id: &SessionId,
    details: &Json<Option<SessionDetails>>,
    now: i64,
    expires_at: i64,
) -> Result<()> {
    tx.sql(
        "UPDATE sessions SET details = COALESCE($1, details), authenticated_at = $2, last_active_at = $2, \
         expires_at = $3 WHERE id = $4",
    )
    .bind(details)
    .bind(now)
    .bind(expires_at)
    .bind(id)
    .execute()
    .await?;
    Ok(())
}

/// Records that a session of a user was used, and locks both until the transaction ends. `false` if the session has
/// ended.
pub async fn touch(tx: &mut Tx, id: &SessionId, user_id: &UserId, now: i64) -> Result<bool> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => "UPDATE sessions SET last_active_at = $1 WHERE id = $2 AND user_id = $3",
        // Locks the user first, as sign-in and sign-out do, to prevent deadlocks.
        Dialect::Postgres => {
            "WITH held AS (SELECT id FROM users WHERE id = $3 FOR KEY SHARE) \
             UPDATE sessions SET last_active_at = $1 WHERE id = $2 AND user_id IN (SELECT id FROM held)"
        }
    };
    Ok(tx.sql(sql).bind(now).bind(id).bind(user_id).execute().await? > 0)
}

/// Moves the sessions of a browser to its new cookie, so that the old one is no longer valid.
pub async fn rename_browser(tx: &mut Tx, old_hash: &str, new_hash: &str) -> Result<()> {
    tx.sql("UPDATE sessions SET browser_hash = $1 WHERE browser_hash = $2")
        .bind(new_hash)
        .bind(old_hash)
        .execute()
        .await?;
    Ok(())
}

/// Deletes a session. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &SessionId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM sessions WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes the sessions of a user, in every browser.
pub async fn delete_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.sql("DELETE FROM sessions WHERE user_id = $1").bind(user_id).execute().await
}

/// Deletes all sessions of a user except one.
pub async fn delete_others_of_user(tx: &mut Tx, user_id: &UserId, kept: &SessionId) -> Result<u64> {
    tx.sql("DELETE FROM sessions WHERE user_id = $1 AND id <> $2").bind(user_id).bind(kept).execute().await
}

/// Deletes at most `limit` sessions that ended before `before` or were not used since `idle_before`, and returns their
/// number.
pub async fn delete_expired(tx: &mut Tx, before: i64, idle_before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM sessions WHERE id IN \
         (SELECT id FROM sessions WHERE expires_at < $1 OR last_active_at < $2 LIMIT $3)",
    )
    .bind(before)
    .bind(idle_before)
    .bind(limit)
    .execute()
    .await
}
