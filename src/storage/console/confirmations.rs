//! Actions of the console that were confirmed: each is carried out once, however often its form arrives.

use crate::{Result, Tx};
use claimsmith_domain::id::SessionId;

/// Records that an action is carried out. `false` if it was already. [`crate::Error::Missing`] if the session of the
/// sign-in has ended.
pub async fn use_up(tx: &mut Tx, id: &str, session_id: &SessionId, expires_at: i64) -> Result<bool> {
    let sql = "INSERT INTO console_confirmations (id, session_id, expires_at) VALUES ($1, $2, $3) \
               ON CONFLICT (id) DO NOTHING";
    Ok(tx.sql(sql).bind(id).bind(session_id).bind(expires_at).execute().await? > 0)
}

/// Deletes at most `limit` records that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM console_confirmations \
         WHERE id IN (SELECT id FROM console_confirmations WHERE expires_at < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
