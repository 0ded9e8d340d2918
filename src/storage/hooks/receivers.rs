//! Built-in test receivers of webhooks, with the newest requests to each.

use crate::sql::filter;
use crate::sql::slice::Count;
use crate::{Json, Result, Tx};
use claimsmith_domain::id::{HookId, HookReceiverId};
use serde_json::Value;

/// A receiver.
#[derive(Clone, Debug, crate::Row)]
pub struct HookReceiver {
    /// 21 characters.
    pub id: HookReceiverId,
    /// The last part of its URL.
    pub token: String,
    /// The status of its responses.
    pub status: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// A request to a receiver.
#[derive(Clone, Debug, crate::Row)]
pub struct ReceivedRequest {
    /// 21 characters.
    pub id: String,
    /// The receiver.
    pub receiver_id: HookReceiverId,
    /// Unix milliseconds.
    pub received_at: i64,
    /// `[[name, value], …]`.
    pub headers: Json<Value>,
    /// The body as text.
    pub body: String,
    /// The status of the response.
    pub status: i64,
    /// The hook that sends there.
    pub hook_id: Option<HookId>,
    /// Whether the signature of that hook's key is valid.
    pub is_signature_valid: Option<bool>,
}

const COLUMNS: &str = "id, token, status, created_at, expires_at";
const REQUEST_COLUMNS: &str = "id, receiver_id, received_at, headers, body, status, hook_id, is_signature_valid";

/// Adds a receiver.
pub async fn insert(tx: &mut Tx, receiver: &HookReceiver) -> Result<()> {
    tx.assembled(format!("INSERT INTO hook_receivers ({COLUMNS}) VALUES {}", filter::rows(5, 1)))
        .bind(&receiver.id)
        .bind(&receiver.token)
        .bind(receiver.status)
        .bind(receiver.created_at)
        .bind(receiver.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// The number of receivers that have not expired.
pub async fn count(tx: &mut Tx, now: i64) -> Result<i64> {
    let statement = tx.sql("SELECT COUNT(*) AS count FROM hook_receivers WHERE expires_at > $1");
    Ok(statement.bind(now).one::<Count>().await?.count)
}

/// The receivers that have not expired, newest first.
pub async fn list(tx: &mut Tx, now: i64) -> Result<Vec<HookReceiver>> {
    let sql = format!("SELECT {COLUMNS} FROM hook_receivers WHERE expires_at > $1 ORDER BY created_at DESC, id");
    tx.assembled(sql).bind(now).all().await
}

/// The receiver with this id, unless it has expired.
pub async fn find(tx: &mut Tx, id: &HookReceiverId, now: i64) -> Result<Option<HookReceiver>> {
    let sql = format!("SELECT {COLUMNS} FROM hook_receivers WHERE id = $1 AND expires_at > $2");
    tx.assembled(sql).bind(id).bind(now).optional().await
}

/// The receiver with this token in its URL, unless it has expired.
pub async fn find_by_token(tx: &mut Tx, token: &str, now: i64) -> Result<Option<HookReceiver>> {
    let sql = format!("SELECT {COLUMNS} FROM hook_receivers WHERE token = $1 AND expires_at > $2");
    tx.assembled(sql).bind(token).bind(now).optional().await
}

/// Sets the response status of a receiver. `false` if there is none.
pub async fn set_status(tx: &mut Tx, id: &HookReceiverId, status: i64) -> Result<bool> {
    let statement = tx.sql("UPDATE hook_receivers SET status = $1 WHERE id = $2");
    Ok(statement.bind(status).bind(id).execute().await? > 0)
}

/// Deletes a receiver with its requests. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &HookReceiverId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM hook_receivers WHERE id = $1").bind(id).execute().await? > 0)
}

/// Stores a request, and deletes all but the newest `most` of its receiver. Does nothing if the receiver was deleted.
pub async fn keep(tx: &mut Tx, request: &ReceivedRequest, most: i64) -> Result<()> {
    tx.assembled(format!(
        "INSERT INTO hook_receiver_requests ({REQUEST_COLUMNS}) \
         SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM hook_receivers WHERE id = $2"
    ))
    .bind(&request.id)
    .bind(&request.receiver_id)
    .bind(request.received_at)
    .bind(&request.headers)
    .bind(&request.body)
    .bind(request.status)
    .bind(&request.hook_id)
    .bind(request.is_signature_valid)
    .execute()
    .await?;
    tx.sql(
        "DELETE FROM hook_receiver_requests WHERE receiver_id = $1 AND id NOT IN \
         (SELECT id FROM hook_receiver_requests WHERE receiver_id = $1 ORDER BY received_at DESC, id DESC LIMIT $2)",
    )
    .bind(&request.receiver_id)
    .bind(most)
    .execute()
    .await?;
    Ok(())
}

/// The requests of a receiver, newest first.
pub async fn requests(tx: &mut Tx, id: &HookReceiverId) -> Result<Vec<ReceivedRequest>> {
    tx.assembled(format!(
        "SELECT {REQUEST_COLUMNS} FROM hook_receiver_requests WHERE receiver_id = $1 \
         ORDER BY received_at DESC, id DESC"
    ))
    .bind(id)
    .all()
    .await
}

/// Deletes the receivers that expired before a time, Unix milliseconds, with their requests, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64) -> Result<u64> {
    tx.sql("DELETE FROM hook_receivers WHERE expires_at < $1").bind(before).execute().await
}
