//! Pending verification codes. An attempt is counted before it is compared, so that concurrent guesses cannot exceed
//! the limit; of concurrent correct attempts, one consumes the code.

use crate::{Result, Tx};

/// A code as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct VerificationCode {
    /// SHA-256 of requester and purpose, hexadecimal.
    #[column(rename = "asker")]
    pub requester: String,
    /// The id of the verification, 21 characters.
    pub id: String,
    /// Keyed hash of the code.
    pub digest: String,
    /// Number of attempts.
    pub attempts: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

const COLUMNS: &str = "asker, id, digest, attempts, expires_at";

/// Stores a code, replacing the previous one of the same requester.
pub async fn put(tx: &mut Tx, code: &VerificationCode) -> Result<()> {
    tx.assembled(format!(
        "INSERT INTO verification_codes ({COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (asker) DO UPDATE SET \
         id = excluded.id, digest = excluded.digest, attempts = excluded.attempts, expires_at = excluded.expires_at"
    ))
    .bind(&code.requester)
    .bind(&code.id)
    .bind(&code.digest)
    .bind(code.attempts)
    .bind(code.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// Counts an attempt. Returns the code including that attempt; `None` if none is pending.
pub async fn count_attempt(tx: &mut Tx, requester: &str) -> Result<Option<VerificationCode>> {
    let sql = format!("UPDATE verification_codes SET attempts = attempts + 1 WHERE asker = $1 RETURNING {COLUMNS}");
    tx.assembled(sql).bind(requester).optional().await
}

/// Consumes a code. `false` if it was already consumed or replaced.
pub async fn consume(tx: &mut Tx, requester: &str, id: &str) -> Result<bool> {
    let sql = "DELETE FROM verification_codes WHERE asker = $1 AND id = $2";
    Ok(tx.sql(sql).bind(requester).bind(id).execute().await? > 0)
}

/// Deletes at most `limit` codes that expired before `before`, and returns their number.
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
