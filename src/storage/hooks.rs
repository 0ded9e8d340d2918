//! Hooks: who is told of which events.

use super::slice::{Count, Slice};
use super::{Result, Tx, filter};
use crate::domain::event::EventType;
use serde_json::Value;
use sqlx::types::Json;

/// A receiver of events.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Hook {
    /// 21 characters.
    pub id: String,
    /// At most 256 characters.
    pub name: String,
    /// What it is told of.
    pub events: Json<Vec<EventType>>,
    /// `{url, headers?}`.
    pub config: Json<Value>,
    /// What its deliveries are signed with, sealed, base64.
    pub signing_key: String,
    /// Whether it is told at all.
    pub enabled: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

const COLUMNS: &str = "id, name, events, config, signing_key, enabled, created_at";

/// Adds a hook.
pub async fn insert(tx: &mut Tx, hook: &Hook) -> Result<()> {
    tx.assembled(format!("INSERT INTO hooks ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&hook.id)
        .bind(&hook.name)
        .bind(&hook.events)
        .bind(&hook.config)
        .bind(&hook.signing_key)
        .bind(hook.enabled)
        .bind(hook.created_at)
        .execute()
        .await?;
    Ok(())
}

/// The hook of that id.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<Hook>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM hooks WHERE id = $1")).bind(id).optional().await
}

/// Hooks, newest first.
pub async fn list(tx: &mut Tx, slice: Slice) -> Result<Vec<Hook>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM hooks ORDER BY created_at DESC, id LIMIT $1 OFFSET $2"))
        .bind(slice.limit)
        .bind(slice.offset)
        .all()
        .await
}

/// How many hooks there are.
pub async fn count(tx: &mut Tx) -> Result<i64> {
    Ok(tx.sql("SELECT COUNT(*) AS count FROM hooks").one::<Count>().await?.count)
}

/// Replaces everything of a hook but its id and age. `false` when there is none.
pub async fn update(tx: &mut Tx, hook: &Hook) -> Result<bool> {
    let changed = tx
        .sql("UPDATE hooks SET name = $1, events = $2, config = $3, signing_key = $4, enabled = $5 WHERE id = $6")
        .bind(&hook.name)
        .bind(&hook.events)
        .bind(&hook.config)
        .bind(&hook.signing_key)
        .bind(hook.enabled)
        .bind(&hook.id)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Deletes a hook with its deliveries. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM hooks WHERE id = $1").bind(id).execute().await? > 0)
}

/// What an enabled hook wants.
#[derive(sqlx::FromRow)]
struct Wish {
    id: String,
    events: Json<Vec<EventType>>,
}

/// The ids of the enabled hooks that are to be told of this event.
pub async fn told_of(tx: &mut Tx, event: EventType) -> Result<Vec<String>> {
    let enabled: Vec<Wish> = tx.sql("SELECT id, events FROM hooks WHERE enabled ORDER BY id").all().await?;
    Ok(enabled.into_iter().filter(|hook| hook.events.contains(&event)).map(|hook| hook.id).collect())
}
