//! Failed attempts to prove who one is, counted by what they have in common: an identifier, an address, or nothing. An
//! attempt is counted before it is known whether it fails, so that attempts at once cannot pass each other.

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

/// What was counted under this hash.
pub async fn find(tx: &mut Tx, hash: &str) -> Result<Failures> {
    let found: Option<Row> = tx
        .sql("SELECT failures, lockouts, expires_at FROM sign_in_attempts WHERE hash = $1")
        .bind(hash)
        .optional()
        .await?;
    Ok(found.map(Failures::from).unwrap_or_default())
}

/// Counts an attempt. It may go on when it is within the limit.
pub async fn count(tx: &mut Tx, hash: &str, limit: Limit, now: i64) -> Result<Failures> {
    let counted = held(tx, hash).await?.count(limit, now);
    write(tx, hash, counted).await?;
    Ok(counted)
}

/// Takes back one attempt, because it did not fail.
pub async fn take_back(tx: &mut Tx, hash: &str, limit: Limit) -> Result<()> {
    let left = held(tx, hash).await?.take_back(limit);
    write(tx, hash, left).await
}

/// What was counted, locked, so that attempts at once are counted one after the other.
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

/// Forgets all attempts.
pub async fn clear(tx: &mut Tx, hash: &str) -> Result<()> {
    tx.sql("DELETE FROM sign_in_attempts WHERE hash = $1").bind(hash).execute().await?;
    Ok(())
}

/// Deletes at most `limit` counts that ended before `before`, and answers how many. What locked is kept for as long as
/// it makes the next lock-out longer.
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
