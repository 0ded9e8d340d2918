//! The audit log: who did what and when, written in the transaction of what it reports.

use super::filter::Placeholders;
use super::{Result, Tx};
use serde_json::Value;
use sqlx::types::Json;
use std::borrow::Borrow;

/// One entry of the audit log.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Log {
    /// 21 characters.
    pub id: String,
    /// What happened, such as `ExchangeTokenBy.TokenExchange`.
    pub key: String,
    /// `{key, result, error?, ip?, userAgent?, userId?, applicationId?, …}`; never a secret.
    pub payload: Json<Value>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Appends entries.
pub async fn append(tx: &mut Tx, logs: &[impl Borrow<Log>]) -> Result<()> {
    if logs.is_empty() {
        return Ok(());
    }
    let sql =
        format!("INSERT INTO logs (id, key, payload, created_at) VALUES {}", Placeholders::of(tx).rows(4, logs.len()));
    let mut statement = tx.assembled(sql);
    for log in logs.iter().map(Borrow::borrow) {
        statement = statement.bind(&log.id).bind(&log.key).bind(&log.payload).bind(log.created_at);
    }
    statement.execute().await?;
    Ok(())
}

/// Entries with this key, newest first.
pub async fn list_by_key(tx: &mut Tx, key: &str, limit: i64) -> Result<Vec<Log>> {
    tx.sql("SELECT id, key, payload, created_at FROM logs WHERE key = $1 ORDER BY created_at DESC, id LIMIT $2")
        .bind(key)
        .bind(limit)
        .all()
        .await
}
