//! Codes that were sent and wait to be typed. What is typed is counted before it is compared, so that guesses at once
//! cannot pass each other, and of two who type the right one at once, one uses it.

use crate::{Result, Tx};

/// A code as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct VerificationCode {
    /// SHA-256 of who asked and what for, hexadecimal.
    pub asker: String,
    /// Of the verification, 21 characters.
    pub id: String,
    /// Keyed digest of the code.
    pub digest: String,
    /// How often something was typed.
    pub attempts: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

const COLUMNS: &str = "asker, id, digest, attempts, expires_at";

/// Keeps a code, in place of the former one of the same asker.
pub async fn put(tx: &mut Tx, code: &VerificationCode) -> Result<()> {
    tx.assembled(format!(
        "INSERT INTO verification_codes ({COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (asker) DO UPDATE SET \
         id = excluded.id, digest = excluded.digest, attempts = excluded.attempts, expires_at = excluded.expires_at"
    ))
    .bind(&code.asker)
    .bind(&code.id)
    .bind(&code.digest)
    .bind(code.attempts)
    .bind(code.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// Counts that something was typed. Answers the code with that attempt; `None` when none waits.
pub async fn count_attempt(tx: &mut Tx, asker: &str) -> Result<Option<VerificationCode>> {
    let sql = format!("UPDATE verification_codes SET attempts = attempts + 1 WHERE asker = $1 RETURNING {COLUMNS}");
    tx.assembled(sql).bind(asker).optional().await
}

/// Uses a code. `false` when somebody else did, or another one replaced it.
pub async fn consume(tx: &mut Tx, asker: &str, id: &str) -> Result<bool> {
    let sql = "DELETE FROM verification_codes WHERE asker = $1 AND id = $2";
    Ok(tx.sql(sql).bind(asker).bind(id).execute().await? > 0)
}

/// Deletes at most `limit` codes that expired before `before`, and answers how many.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM verification_codes WHERE asker IN \
         (SELECT asker FROM verification_codes WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
