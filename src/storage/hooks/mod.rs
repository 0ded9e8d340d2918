//! Hooks: their events, settings, and the state of their deliveries.

pub mod attempts;
pub mod deliveries;
pub mod leases;
pub mod outages;
pub mod outbox;
pub mod receivers;
pub mod statistics;
pub mod subscriptions;

use crate::sql::filter::{self, Placeholders};
use crate::sql::slice::{Count, Slice};
use crate::{Dialect, Document, Json, Outbox, Result, Tx};
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::id::HookId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// A receiver of events.
#[derive(Clone, Debug, crate::Row)]
pub struct Hook {
    /// 21 characters.
    pub id: HookId,
    /// At most 256 characters.
    pub name: String,
    /// The events that it subscribed to.
    pub events: Json<Vec<EventPattern>>,
    /// The only one of them, if the client named it by the member `event`.
    pub single_event: Option<EventType>,
    /// `{url, headers?}`.
    pub config: Json<Value>,
    /// The signing key of its deliveries, encrypted, base64.
    pub signing_key: String,
    /// Replaced keys, which also sign until they expire; newest first.
    pub previous_keys: Json<Vec<PreviousKey>>,
    /// Whether it gets deliveries.
    pub enabled: bool,
    /// Whether its deliveries are paused.
    pub paused: bool,
    /// Whether deliveries of one entity are sent in order.
    pub ordered: bool,
    /// Maximum concurrent deliveries.
    pub max_in_flight: i64,
    /// Maximum deliveries per second.
    pub rate_limit: Option<i64>,
    /// The first failure since the last success, Unix milliseconds.
    pub failing_since: Option<i64>,
    /// Failed attempts since the last success.
    pub failures: i64,
    /// `gone` or `failing`, if the server disabled it.
    pub disabled_reason: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A key that was replaced.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PreviousKey {
    /// Encrypted, base64.
    pub key: String,
    /// It signs until then, Unix milliseconds.
    pub until: i64,
}

impl Document for Vec<PreviousKey> {
    /// Unreadable keys are dropped: receivers verify with the current key only.
    fn unreadable(_: String) -> Self {
        Self::default()
    }
}

const COLUMNS: &str = "id, name, events, config, signing_key, previous_keys, enabled, paused, ordered, \
     max_in_flight, rate_limit, failing_since, failures, disabled_reason, created_at, single_event";

/// Adds a hook.
pub async fn insert(tx: &mut Tx, hook: &Hook) -> Result<()> {
    tx.assembled(format!("INSERT INTO hooks ({COLUMNS}) VALUES {}", filter::rows(16, 1)))
        .bind(&hook.id)
        .bind(&hook.name)
        .bind(&hook.events)
        .bind(&hook.config)
        .bind(&hook.signing_key)
        .bind(&hook.previous_keys)
        .bind(hook.enabled)
        .bind(hook.paused)
        .bind(hook.ordered)
        .bind(hook.max_in_flight)
        .bind(hook.rate_limit)
        .bind(hook.failing_since)
        .bind(hook.failures)
        .bind(&hook.disabled_reason)
        .bind(hook.created_at)
        .bind(hook.single_event)
        .execute()
        .await?;
    subscriptions::replace(tx, &hook.id, &hook.events).await
}

/// The hook with this id.
pub async fn find(tx: &mut Tx, id: &HookId) -> Result<Option<Hook>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM hooks WHERE id = $1")).bind(id).optional().await
}

/// The same, locked until the transaction ends.
pub async fn find_to_change(tx: &mut Tx, id: &HookId) -> Result<Option<Hook>> {
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR NO KEY UPDATE",
    };
    tx.assembled(format!("SELECT {COLUMNS} FROM hooks WHERE id = $1{lock}")).bind(id).optional().await
}

/// The hooks with these ids, by id.
pub(crate) async fn of(tx: &mut Tx, ids: &[&HookId]) -> Result<HashMap<HookId, Hook>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!("SELECT {COLUMNS} FROM hooks WHERE id IN ({})", Placeholders::of(tx).list(ids.len()));
    let hooks: Vec<Hook> = tx.assembled(sql).bind_all(ids).all().await?;
    Ok(hooks.into_iter().map(|hook| (hook.id.clone(), hook)).collect())
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

/// Updates a hook, except for its id and creation time. `false` if there is none. Notifies the delivery worker, since
/// pending deliveries may be due now.
pub async fn update(tx: &mut Tx, hook: &Hook) -> Result<bool> {
    let changed = tx
        .sql(
            "UPDATE hooks SET name = $1, events = $2, config = COALESCE($3, config), signing_key = $4, \
             previous_keys = $5, enabled = $6, paused = $7, ordered = $8, max_in_flight = $9, rate_limit = $10, failing_since = $11, failures = $12, \
             disabled_reason = $13, single_event = $14 WHERE id = $15",
        )
        .bind(&hook.name)
        .bind(&hook.events)
        .bind(&hook.config)
        .bind(&hook.signing_key)
        .bind(&hook.previous_keys)
        .bind(hook.enabled)
        .bind(hook.paused)
        .bind(hook.ordered)
        .bind(hook.max_in_flight)
        .bind(hook.rate_limit)
        .bind(hook.failing_since)
        .bind(hook.failures)
        .bind(&hook.disabled_reason)
        .bind(hook.single_event)
        .bind(&hook.id)
        .execute()
        .await?;
    if changed > 0 {
        subscriptions::replace(tx, &hook.id, &hook.events).await?;
    }
    tx.notify(Outbox::Webhooks);
    Ok(changed > 0)
}

/// Deletes a hook with its deliveries. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &HookId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM hooks WHERE id = $1").bind(id).execute().await? > 0)
}

/// The hooks that send to the test receiver with this token, at most 20.
pub async fn sending_to(tx: &mut Tx, token: &str) -> Result<Vec<Hook>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM hooks WHERE CAST(config AS TEXT) LIKE $1 ORDER BY id LIMIT 20"))
        .bind(format!("%/{token}\"%"))
        .all()
        .await
}

/// Resets the failures of hooks after a success.
pub async fn succeed(tx: &mut Tx, ids: &[&HookId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    // In the order of the hooks, against deadlocks.
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR NO KEY UPDATE",
    };
    let sql = format!(
        "UPDATE hooks SET failing_since = NULL, failures = 0 WHERE id IN \
         (SELECT id FROM hooks WHERE id IN ({}) AND failures > 0 ORDER BY id{lock})",
        Placeholders::of(tx).list(ids.len())
    );
    tx.assembled(sql).bind_all(ids).execute().await?;
    Ok(())
}

/// The failures of a hook.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Failing {
    /// The first failure since the last success, Unix milliseconds.
    pub failing_since: i64,
    /// Their number.
    pub failures: i64,
}

/// Counts `count` more failures, the first at `at`. `None` if there is no such hook.
pub async fn fail(tx: &mut Tx, id: &HookId, count: i64, at: i64) -> Result<Option<Failing>> {
    tx.sql(
        "UPDATE hooks SET failures = failures + $1, failing_since = COALESCE(failing_since, $2) WHERE id = $3 \
         RETURNING failing_since, failures",
    )
    .bind(count)
    .bind(at)
    .bind(id)
    .optional()
    .await
}

/// Disables a hook for this reason. `false` when it was disabled already.
pub async fn disable(tx: &mut Tx, id: &HookId, reason: &str) -> Result<bool> {
    let sql = "UPDATE hooks SET enabled = $1, disabled_reason = $2 WHERE id = $3 AND enabled";
    Ok(tx.sql(sql).bind(false).bind(reason).bind(id).execute().await? > 0)
}

/// Pauses deliveries to a receiver until this time (`Retry-After`), unless a later time is set.
pub async fn hold(tx: &mut Tx, id: &HookId, until: i64) -> Result<()> {
    let sql = "UPDATE hooks SET held_until = $1 WHERE id = $2 AND held_until < $1";
    tx.sql(sql).bind(until).bind(id).execute().await?;
    Ok(())
}
