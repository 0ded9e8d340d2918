//! One-time tokens: emailed links that sign a user in, or let a user register, once.

use crate::sql::filter;
use crate::sql::slice::{Count, Slice};
use crate::{Json, Result, Tx};
use claimsmith_domain::documents::one_time_token::{Context, Status};

/// A token as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct OneTimeToken {
    /// 21 characters; not the token.
    pub id: String,
    /// The email address that it was created for, in lower case.
    pub email: String,
    /// SHA-256 of the token, hexadecimal.
    pub hash: String,
    /// The context; `None` if it cannot be read.
    pub context: Json<Option<Context>>,
    /// Its status; an active one may have expired.
    pub status: Status,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// The filter of a list of tokens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'w> {
    /// For this email address, in lower case.
    pub email: Option<&'w str>,
    /// With this status now.
    pub status: Option<Status>,
}

const COLUMNS: &str = "id, email, hash, context, status, created_at, expires_at";
/// Condition: tokens for the address `$1` (if any) with the status `$2` (if any) at the time `$3`.
const WANTED: &str = "($1 = '' OR email = $1) AND ($2 = '' OR \
     CASE WHEN status = 'active' AND expires_at <= $3 THEN 'expired' ELSE status END = $2)";

/// Adds a token.
pub async fn insert(tx: &mut Tx, token: &OneTimeToken) -> Result<()> {
    tx.assembled(format!("INSERT INTO one_time_tokens ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&token.id)
        .bind(&token.email)
        .bind(&token.hash)
        .bind(&token.context)
        .bind(token.status)
        .bind(token.created_at)
        .bind(token.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The token with this id.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<OneTimeToken>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM one_time_tokens WHERE id = $1")).bind(id).optional().await
}

/// The token with this hash.
pub async fn find_by_hash(tx: &mut Tx, hash: &str) -> Result<Option<OneTimeToken>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM one_time_tokens WHERE hash = $1")).bind(hash).optional().await
}

/// Tokens, newest first.
pub async fn list(tx: &mut Tx, wanted: Filter<'_>, now: i64, slice: Slice) -> Result<Vec<OneTimeToken>> {
    let sql =
        format!("SELECT {COLUMNS} FROM one_time_tokens WHERE {WANTED} ORDER BY created_at DESC, id LIMIT $4 OFFSET $5");
    tx.assembled(sql)
        .bind(wanted.email.unwrap_or_default())
        .bind(wanted.status.map_or("", Status::as_str))
        .bind(now)
        .bind(slice.limit)
        .bind(slice.offset)
        .all()
        .await
}

/// The number of matching tokens.
pub async fn count(tx: &mut Tx, wanted: Filter<'_>, now: i64) -> Result<i64> {
    let row: Count = tx
        .assembled(format!("SELECT COUNT(*) AS count FROM one_time_tokens WHERE {WANTED}"))
        .bind(wanted.email.unwrap_or_default())
        .bind(wanted.status.map_or("", Status::as_str))
        .bind(now)
        .one()
        .await?;
    Ok(row.count)
}

/// Consumes or revokes an active, unexpired token. `false` if it is not one; of concurrent calls, one succeeds.
pub async fn settle(tx: &mut Tx, id: &str, status: Status, now: i64) -> Result<bool> {
    let sql = "UPDATE one_time_tokens SET status = $1 WHERE id = $2 AND status = 'active' AND expires_at > $3";
    Ok(tx.sql(sql).bind(status).bind(id).bind(now).execute().await? > 0)
}

/// Deletes a token. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM one_time_tokens WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes at most `limit` tokens that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM one_time_tokens WHERE id IN (SELECT id FROM one_time_tokens WHERE expires_at < $1 LIMIT $2)")
        .bind(before)
        .bind(limit)
        .execute()
        .await
}
