//! Sessions of browsers at the console. Each depends on the session of its sign-in, and is deleted with it.

use crate::sql::filter;
use crate::{Result, Tx};
use claimsmith_domain::id::{SessionId, UserId};

/// Maximum lifetime of a session in milliseconds: twelve hours, a long working day.
pub const MAX_AGE_MS: i64 = 12 * 3_600_000;

/// The session of a browser at the console.
#[derive(Clone, Debug, crate::Row)]
pub struct ConsoleSession {
    /// SHA-256 of the browser's cookie, hexadecimal.
    pub hash: String,
    /// The session of the sign-in.
    pub session_id: SessionId,
    /// The user.
    pub user_id: UserId,
    /// Time of the last authentication, Unix milliseconds.
    pub authenticated_at: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it was last used, Unix milliseconds.
    pub last_active_at: i64,
}

/// The times after which a session is live, Unix milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Since {
    /// Sessions created before have ended.
    pub created: i64,
    /// Sessions not used since have ended.
    pub active: i64,
    /// The same for the session of the sign-in.
    pub sign_in_active: i64,
}

const COLUMNS: &str = "hash, session_id, user_id, authenticated_at, created_at, last_active_at";

/// Adds a session. [`crate::Error::Missing`] if the session of its sign-in has ended.
pub async fn insert(tx: &mut Tx, session: &ConsoleSession) -> Result<()> {
    tx.assembled(format!("INSERT INTO console_sessions ({COLUMNS}) VALUES {}", filter::rows(6, 1)))
        .bind(&session.hash)
        .bind(&session.session_id)
        .bind(&session.user_id)
        .bind(session.authenticated_at)
        .bind(session.created_at)
        .bind(session.last_active_at)
        .execute()
        .await?;
    Ok(())
}

/// The live session of a cookie, if the session of its sign-in is live and the user is active.
pub async fn find(tx: &mut Tx, hash: &str, now: i64, since: Since) -> Result<Option<ConsoleSession>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM console_sessions WHERE hash = $1 AND created_at > $2 AND last_active_at > $3 \
         AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = session_id AND s.expires_at > $4 AND s.last_active_at > $5) \
         AND EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND u.is_suspended = FALSE)"
    );
    tx.assembled(sql)
        .bind(hash)
        .bind(since.created)
        .bind(since.active)
        .bind(now)
        .bind(since.sign_in_active)
        .optional()
        .await
}

/// Records that a session was used.
pub async fn touch(tx: &mut Tx, hash: &str, now: i64) -> Result<()> {
    tx.sql("UPDATE console_sessions SET last_active_at = $1 WHERE hash = $2").bind(now).bind(hash).execute().await?;
    Ok(())
}

/// Deletes a session. `false` when there is none.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM console_sessions WHERE hash = $1").bind(hash).execute().await? > 0)
}

/// Deletes at most `limit` sessions that reached their maximum lifetime before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM console_sessions WHERE hash IN (SELECT hash FROM console_sessions WHERE created_at < $1 LIMIT $2)",
    )
    .bind(before - MAX_AGE_MS)
    .bind(limit)
    .execute()
    .await
}
