//! Failed attempts to prove who one is, counted by what they have in common: an identifier, or an address. An attempt is
//! counted before it is known whether it fails, so that attempts at once cannot pass each other.

use crate::storage::{Result, Tx};

/// How long failures are counted together, in milliseconds.
const WINDOW_MS: i64 = 3_600_000;

/// What was counted so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Counted {
    /// With this one.
    pub failures: i64,
    /// When they are forgotten, Unix milliseconds.
    pub expires_at: i64,
}

/// When attempts are refused.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// So many failures within an hour are allowed.
    pub failures: i64,
    /// How long nothing is allowed after the last of them, in milliseconds.
    pub lockout_ms: i64,
}

/// Counts an attempt. It may go on when it is within the limit.
pub async fn count(tx: &mut Tx, hash: &str, limit: Limit, now: i64) -> Result<Counted> {
    let locked_until = now + limit.lockout_ms;
    let first_until = if limit.failures <= 1 { locked_until } else { now + WINDOW_MS };
    tx.sql(
        "INSERT INTO sign_in_attempts AS known (hash, failures, expires_at) VALUES ($1, 1, $2) \
         ON CONFLICT (hash) DO UPDATE SET \
         failures = CASE WHEN known.expires_at <= $3 THEN 1 ELSE known.failures + 1 END, \
         expires_at = CASE WHEN known.expires_at <= $3 THEN $2 WHEN known.failures + 1 = $4 THEN $5 \
         ELSE known.expires_at END RETURNING failures, expires_at",
    )
    .bind(hash)
    .bind(first_until)
    .bind(now)
    .bind(limit.failures)
    .bind(locked_until)
    .one()
    .await
}

/// Takes back one attempt, because it did not fail.
pub async fn take_back(tx: &mut Tx, hash: &str) -> Result<()> {
    tx.sql("UPDATE sign_in_attempts SET failures = failures - 1 WHERE hash = $1 AND failures > 0")
        .bind(hash)
        .execute()
        .await?;
    Ok(())
}

/// Forgets all attempts.
pub async fn clear(tx: &mut Tx, hash: &str) -> Result<()> {
    tx.sql("DELETE FROM sign_in_attempts WHERE hash = $1").bind(hash).execute().await?;
    Ok(())
}

/// Deletes at most `limit` counts that ended before `before`, and answers how many.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM sign_in_attempts WHERE hash IN (SELECT hash FROM sign_in_attempts WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
