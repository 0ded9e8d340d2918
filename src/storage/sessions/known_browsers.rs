//! Browsers in which a user has signed in, identified by a cookie of which only the hash is stored.

use crate::{Result, Tx};
use claimsmith_domain::id::UserId;

#[derive(crate::Row)]
struct KnownBrowserRow {
    known: i64,
}

/// Whether this user has signed in in this browser.
pub async fn is_known(tx: &mut Tx, hash: &str, user_id: &UserId, now: i64) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS known FROM known_browsers WHERE hash = $1 AND user_id = $2 AND expires_at > $3";
    Ok(tx.sql(sql).bind(hash).bind(user_id).bind(now).one::<KnownBrowserRow>().await?.known > 0)
}

/// Whether any user has signed in in this browser.
pub async fn is_anybodys(tx: &mut Tx, hash: &str, now: i64) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS known FROM known_browsers WHERE hash = $1 AND expires_at > $2";
    Ok(tx.sql(sql).bind(hash).bind(now).one::<KnownBrowserRow>().await?.known > 0)
}

/// Records that this user signed in in this browser.
pub async fn remember(tx: &mut Tx, hash: &str, user_id: &UserId, expires_at: i64) -> Result<()> {
    tx.sql(
        "INSERT INTO known_browsers (hash, user_id, expires_at) VALUES ($1, $2, $3) \
         ON CONFLICT (hash, user_id) DO UPDATE SET expires_at = excluded.expires_at",
    )
    .bind(hash)
    .bind(user_id)
    .bind(expires_at)
    .execute()
    .await?;
    Ok(())
}

/// Moves the records of a browser to its new cookie.
pub async fn rename(tx: &mut Tx, old_hash: &str, new_hash: &str) -> Result<()> {
    tx.sql("UPDATE known_browsers SET hash = $1 WHERE hash = $2").bind(new_hash).bind(old_hash).execute().await?;
    Ok(())
}

/// Deletes the known browsers of a user.
pub async fn delete_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.sql("DELETE FROM known_browsers WHERE user_id = $1").bind(user_id).execute().await
}

/// Deletes at most `limit` that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM known_browsers WHERE hash IN (SELECT hash FROM known_browsers WHERE expires_at < $1 LIMIT $2) \
         AND expires_at < $1",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
