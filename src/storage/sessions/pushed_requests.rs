//! Pushed authorization requests (RFC 9126). Only the hash of their `request_uri` reference is stored.

use crate::{Json, Result, Tx};
use claimsmith_domain::id::ApplicationId;
use serde_json::Value;

/// A request as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct PushedRequest {
    /// SHA-256 of the reference, hexadecimal.
    pub hash: String,
    /// The client.
    pub application_id: ApplicationId,
    /// An array of `[name, value]`.
    pub parameters: Json<Value>,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// Adds a request.
pub async fn insert(tx: &mut Tx, request: &PushedRequest) -> Result<()> {
    tx.sql("INSERT INTO pushed_requests (hash, application_id, parameters, expires_at) VALUES ($1, $2, $3, $4)")
        .bind(&request.hash)
        .bind(&request.application_id)
        .bind(&request.parameters)
        .bind(request.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The live request with this hash.
pub async fn find_live(tx: &mut Tx, hash: &str, now: i64) -> Result<Option<PushedRequest>> {
    tx.sql(
        "SELECT hash, application_id, parameters, expires_at FROM pushed_requests WHERE hash = $1 AND expires_at > $2",
    )
    .bind(hash)
    .bind(now)
    .optional()
    .await
}

/// Keeps the row of a request at least until this time, Unix milliseconds, for the response after an interaction. It can
/// be visited no longer for it. `false` if there is none: it was used.
pub async fn keep(tx: &mut Tx, hash: &str, until: i64) -> Result<bool> {
    let changed =
        tx.sql("UPDATE pushed_requests SET kept_until = $1 WHERE hash = $2").bind(until).bind(hash).execute().await?;
    Ok(changed > 0)
}

/// Deletes a request whose response is issued. `false` if there is none: a concurrent response was faster.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM pushed_requests WHERE hash = $1").bind(hash).execute().await? > 0)
}

/// Deletes at most `limit` requests that expired before `before` and are not kept for longer, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM pushed_requests WHERE hash IN \
         (SELECT hash FROM pushed_requests WHERE expires_at < $1 AND kept_until < $1 LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
