//! The audit log: who did what and when, written in the transaction of what it reports.

use super::conditions::Conditions;
use super::filter::Placeholders;
use super::slice::Slice;
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

impl Log {
    fn text(&self, member: &str) -> Option<&str> {
        self.payload.get(member).and_then(Value::as_str)
    }
}

/// Which entries are looked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// With this key.
    pub key: Option<String>,
    /// Of this user.
    pub user_id: Option<String>,
    /// Of this application.
    pub application_id: Option<String>,
    /// From this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Until this time, Unix milliseconds.
    pub to: Option<i64>,
}

const COLUMNS: &str = "id, key, payload, created_at";

impl Wanted {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("logs", tx);
        // Said as its index says it, or it is not used.
        conditions.holds("substr(key, 1, 12) <> 'TriggerHook.'");
        conditions.text("key = ?", self.key.as_deref());
        conditions.text("user_id = ?", self.user_id.as_deref());
        conditions.text("application_id = ?", self.application_id.as_deref());
        conditions.number("created_at >= ?", self.from);
        conditions.number("created_at <= ?", self.to);
        conditions
    }
}

/// Appends entries.
pub async fn append(tx: &mut Tx, logs: &[impl Borrow<Log>]) -> Result<()> {
    if logs.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO logs (id, key, payload, user_id, application_id, created_at) VALUES {}",
        Placeholders::of(tx).rows(6, logs.len())
    );
    let mut statement = tx.assembled(sql);
    for log in logs.iter().map(Borrow::borrow) {
        statement = statement
            .bind(&log.id)
            .bind(&log.key)
            .bind(&log.payload)
            .bind(log.text("userId"))
            .bind(log.text("applicationId"))
            .bind(log.created_at);
    }
    statement.execute().await?;
    Ok(())
}

/// Entries, newest first; those of webhooks' deliveries are not among them.
pub async fn list(tx: &mut Tx, wanted: &Wanted, slice: Slice) -> Result<Vec<Log>> {
    wanted.conditions(tx).list(tx, COLUMNS, "created_at DESC, id DESC", slice).all().await
}

/// How many entries there are, counted to `most` and no further.
pub async fn count(tx: &mut Tx, wanted: &Wanted, most: i64) -> Result<i64> {
    wanted.conditions(tx).count_to(tx, most).await
}

/// The entry of that id, of any key.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<Log>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM logs WHERE id = $1")).bind(id).optional().await
}

/// Entries with this key, newest first.
pub async fn list_by_key(tx: &mut Tx, key: &str, limit: i64) -> Result<Vec<Log>> {
    tx.sql("SELECT id, key, payload, created_at FROM logs WHERE key = $1 ORDER BY created_at DESC, id LIMIT $2")
        .bind(key)
        .bind(limit)
        .all()
        .await
}
