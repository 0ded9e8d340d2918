//! Networks and countries that users signed in from, as keyed hashes, for second factors by risk.

use crate::{Result, Tx};
use claimsmith_domain::adaptive_mfa::PlaceKind;
use claimsmith_domain::id::UserId;

#[derive(crate::Row)]
struct PlaceRow {
    hash: String,
}

/// The hashes of the places of one kind that a user signed in from since `since`, most recent first.
pub async fn of_user(tx: &mut Tx, user_id: &UserId, kind: PlaceKind, since: i64) -> Result<Vec<String>> {
    let sql = "SELECT hash FROM sign_in_places WHERE user_id = $1 AND kind = $2 AND last_seen_at >= $3 \
               ORDER BY last_seen_at DESC, hash";
    let rows: Vec<PlaceRow> = tx.sql(sql).bind(user_id).bind(kind.as_str()).bind(since).all().await?;
    Ok(rows.into_iter().map(|row| row.hash).collect())
}

/// Records that a user signed in from a place. Of each kind, only the `kept` most recent places of a user stay.
pub async fn remember(
    tx: &mut Tx,
    user_id: &UserId,
    (kind, hash): (PlaceKind, &str),
    now: i64,
    kept: i64,
) -> Result<()> {
    tx.sql(
        "INSERT INTO sign_in_places (user_id, kind, hash, last_seen_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (user_id, kind, hash) DO UPDATE SET last_seen_at = excluded.last_seen_at",
    )
    .bind(user_id)
    .bind(kind.as_str())
    .bind(hash)
    .bind(now)
    .execute()
    .await?;
    tx.sql(
        "DELETE FROM sign_in_places WHERE user_id = $1 AND kind = $2 AND hash NOT IN \
         (SELECT hash FROM sign_in_places WHERE user_id = $1 AND kind = $2 \
          ORDER BY last_seen_at DESC, hash LIMIT $3)",
    )
    .bind(user_id)
    .bind(kind.as_str())
    .bind(kept)
    .execute()
    .await?;
    Ok(())
}

/// Deletes at most `limit` that were last seen before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    let rows = "SELECT user_id, kind, hash FROM sign_in_places WHERE last_seen_at < $1 LIMIT $2";
    tx.assembled(format!("DELETE FROM sign_in_places WHERE (user_id, kind, hash) IN ({rows})"))
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
