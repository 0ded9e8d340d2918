//! Failed authentication attempts, counted per identifier, per address, or in total. An attempt is counted before its
//! result is known, so that concurrent attempts cannot exceed the limit.

use crate::{Result, Tx};
use claimsmith_domain::lockout::{Failures, LOCKOUT_MEMORY_MS, Limit};

#[derive(crate::Row)]
struct Row {
    failures: i64,
    lockouts: i64,
    expires_at: i64,
}

impl From<Row> for Failures {
    fn from(Row { failures, lockouts, expires_at }: Row) -> Self {
        Self { failures, lockouts, expires_at }
    }
}

/// The counters of this hash.
pub async fn find(tx: &mut Tx, hash: &str) -> Result<Failures> {
    let found: Option<Row> = tx
        .sql("SELECT failures, lockouts, expires_at FROM sign_in_attempts WHERE hash = $1")
        .bind(hash)
        .optional()
        .await?;
    Ok(found.map(Failures::from).unwrap_or_default())
}

/// Counts an attempt. It may proceed if the result is within the limit.
pub async fn count(tx: &mut Tx, hash: &str, limit: Limit, now: i64) -> Result<Failures> {
    let counted = held(tx, hash).await?.count(limit, now);
    write(tx, hash, counted).await?;
    Ok(counted)
}

/// Removes one counted attempt, because it succeeded.
pub async fn undo_failure(tx: &mut Tx, hash: &str, limit: Limit) -> Result<()> {
    let left = held(tx, hash).await?.undo_failure(limit);
    write(tx, hash, left).await
}

/// The counters, locked so that concurrent attempts are serialized.
async fn held(tx: &mut Tx, hash: &str) -> Result<Failures> {
    let sql = "INSERT INTO sign_in_attempts AS known (hash, failures, lockouts, expires_at) VALUES ($1, 0, 0, 0) \
               ON CONFLICT (hash) DO UPDATE SET failures = known.failures RETURNING failures, lockouts, expires_at";
    Ok(tx.sql(sql).bind(hash).one::<Row>().await?.into())
}

async fn write(tx: &mut Tx, hash: &str, counted: Failures) -> Result<()> {
    tx.sql("UPDATE sign_in_attempts SET failures = $1, lockouts = $2, expires_at = $3 WHERE hash = $4")
        .bind(counted.failures)
        .bind(counted.lockouts)
        .bind(counted.expires_at)
        .bind(hash)
        .execute()
        .await?;
    Ok(())
}

/// Resets the counters.
pub async fn clear(tx: &mut Tx, hash: &str) -> Result<()> {
    tx.sql("DELETE FROM sign_in_attempts WHERE hash = $1").bind(hash).execute().await?;
    Ok(())
}

/// Deletes at most `limit` counters that expired before `before`, and returns their number. Counters with lockouts are
/// kept as long as they make the next lockout longer.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM sign_in_attempts WHERE hash IN (SELECT hash FROM sign_in_attempts \
         WHERE expires_at < CASE WHEN lockouts = 0 THEN $1 ELSE $2 END LIMIT $3)",
    )
    .bind(before)
    .bind(before - LOCKOUT_MEMORY_MS)
    .bind(limit)
    .execute()
    .await
}
