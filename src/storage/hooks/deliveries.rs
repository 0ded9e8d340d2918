//! Deliveries: their states and transitions.

use crate::sql::conditions::Conditions;
use crate::sql::queue::QueueTable;
use crate::sql::slice::Slice;
use crate::{Outbox, Result, RetryDecision, Tx};
use claimsmith_domain::id::{DeliveryId, HookId};

/// The deliveries of hooks.
pub(super) const QUEUE: QueueTable = QueueTable { table: "deliveries", key: "id", receiver: "hook_id" };

/// One event for one hook.
#[derive(Clone, Debug, crate::Row)]
pub struct Delivery {
    /// The order of the events.
    pub seq: i64,
    /// `msg_` and 21 characters; the `webhook-id`.
    pub id: DeliveryId,
    /// The hook.
    pub hook_id: HookId,
    /// Such as `User.Created`.
    #[column(rename = "type")]
    pub kind: String,
    /// The JSON body, without the id of the hook.
    pub payload: String,
    /// `pending`, `delivered`, `dead` or `dropped`.
    pub state: String,
    /// When it may be leased next, Unix milliseconds; `None` when it is finished.
    pub due_at: Option<i64>,
    /// Whether an attempt is in progress.
    pub leased: bool,
    /// Number of attempts so far.
    pub attempts: i64,
    /// The result of the transforms, JSON text.
    pub prepared: Option<String>,
    /// The last error, or the reason that it was dropped.
    pub note: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it became delivered, dropped or dead, Unix milliseconds.
    pub finished_at: Option<i64>,
}

/// The filter of a list of deliveries.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Of this hook.
    pub hook_id: HookId,
    /// In these states; empty for any.
    pub states: Vec<String>,
    /// Of these events; empty for any.
    pub kinds: Vec<String>,
    /// From this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Until this time, Unix milliseconds.
    pub to: Option<i64>,
}

const COLUMNS: &str = "d.seq, d.id, d.hook_id, e.type, e.payload, d.state, d.due_at, d.claim IS NOT NULL AS leased, \
     d.attempts, d.prepared, d.note, d.created_at, d.finished_at";
const TABLE: &str = "deliveries d JOIN events e ON e.id = d.event_id";

impl Filter {
    /// The condition of the index that has these states, if there is one: the planner does not know the values.
    fn of_an_index(&self) -> Option<&'static str> {
        let are_of = |known: &[&str]| self.states.iter().all(|state| known.contains(&state.as_str()));
        if self.states.is_empty() {
            None
        } else if are_of(&["pending"]) {
            Some("d.due_at IS NOT NULL")
        } else {
            are_of(&["dead", "dropped"]).then_some("d.state IN ('dead', 'dropped')")
        }
    }

    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on(TABLE, tx);
        conditions.text("d.hook_id = ?", Some(&self.hook_id));
        if !self.states.is_empty() {
            conditions.one_of("d.state", &self.states);
        }
        if let Some(condition) = self.of_an_index() {
            conditions.holds(condition);
        }
        if !self.kinds.is_empty() {
            conditions.one_of("e.type", &self.kinds);
        }
        conditions.number("d.created_at >= ?", self.from);
        conditions.number("d.created_at <= ?", self.to);
        conditions
    }
}

/// Deliveries, newest first.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<Delivery>> {
    wanted.conditions(tx).list(tx, COLUMNS, "d.seq DESC", slice).all().await
}

/// The number of matching deliveries, at most `most`.
pub async fn count(tx: &mut Tx, wanted: &Filter, most: i64) -> Result<i64> {
    wanted.conditions(tx).count_to(tx, most).await
}

/// The delivery with this id to this hook.
pub async fn find(tx: &mut Tx, hook_id: &HookId, id: &DeliveryId) -> Result<Option<Delivery>> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLE} WHERE d.id = $1 AND d.hook_id = $2");
    tx.assembled(sql).bind(id).bind(hook_id).optional().await
}

#[derive(crate::Row)]
struct DeliverySequence {
    seq: i64,
}

/// Replays at most `limit` of these, oldest first, starting after the sequence number `after`, and returns their
/// sequence numbers. A delivery in progress is skipped; one that waits for a retry is attempted now.
pub async fn replay(tx: &mut Tx, wanted: &Filter, after: i64, now: i64, limit: i64) -> Result<Vec<i64>> {
    let mut conditions = wanted.conditions(tx);
    conditions.holds("d.claim IS NULL");
    conditions.number("d.seq > ?", Some(after));
    let (sql, next) = (conditions.sql(), conditions.next(0));
    let (limit_place, now_place) = (next, conditions.next(1));
    let chosen = format!("SELECT d.seq FROM {TABLE}{sql} ORDER BY d.seq LIMIT {limit_place}");
    let statement = tx.assembled(format!(
        "UPDATE deliveries SET state = 'pending', due_at = {now_place}, attempts = 0, prepared = NULL, note = NULL, \
         finished_at = NULL WHERE seq IN ({chosen}) RETURNING seq"
    ));
    let replayed: Vec<DeliverySequence> = conditions.bind_to(statement).bind(limit).bind(now).all().await?;
    tx.notify(Outbox::Webhooks);
    Ok(replayed.into_iter().map(|place| place.seq).collect())
}

/// The same for one delivery. `false` if an attempt is in progress.
pub async fn replay_one(tx: &mut Tx, id: &DeliveryId, now: i64) -> Result<bool> {
    let replayed = tx
        .sql(
            "UPDATE deliveries SET state = 'pending', due_at = $1, attempts = 0, prepared = NULL, note = NULL, \
             finished_at = NULL WHERE id = $2 AND claim IS NULL",
        )
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    tx.notify(Outbox::Webhooks);
    Ok(replayed > 0)
}

/// Stores the result of a delivery's transforms, for all its attempts. `false` if its lease has passed to another
/// worker.
pub async fn prepare(tx: &mut Tx, id: &DeliveryId, lease: &str, prepared: &str) -> Result<bool> {
    let sql = "UPDATE deliveries SET prepared = $1 WHERE id = $2 AND claim = $3";
    Ok(tx.sql(sql).bind(prepared).bind(id).bind(lease).execute().await? > 0)
}

/// Marks these as delivered, whichever worker has the lease now.
pub async fn succeed(tx: &mut Tx, ids: &[&DeliveryId], now: i64) -> Result<u64> {
    QUEUE.succeed(tx, ids.iter(), now).await
}

/// A failed attempt, and what comes next.
#[derive(Clone, Copy, Debug)]
pub struct FailedAttempt<'a> {
    /// The delivery.
    pub id: &'a DeliveryId,
    /// The lease under which it was attempted.
    pub lease: &'a str,
    /// The next state.
    pub next: RetryDecision,
    /// The error, or the reason that it is dropped.
    pub note: &'a str,
}

/// Changes the states of deliveries after failed attempts. Skips those whose lease has passed to another worker, and
/// returns the number of the others.
pub async fn move_on(tx: &mut Tx, failed: &[FailedAttempt<'_>], now: i64) -> Result<u64> {
    let rows = failed.iter().map(|one| (one.id, one.lease, one.next, one.note));
    QUEUE.move_on_all(tx, rows, now).await
}

/// Makes the next delivery of an entity due (ordering).
pub async fn release_next(tx: &mut Tx, hook_id: &HookId, entity: &str, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE deliveries SET due_at = $1 WHERE seq = (SELECT MIN(seq) FROM deliveries WHERE hook_id = $2 \
         AND entity = $3 AND due_at IS NOT NULL) AND due_at > $1 AND claim IS NULL AND attempts = 0",
    )
    .bind(now)
    .bind(hook_id)
    .bind(entity)
    .execute()
    .await?;
    Ok(())
}

/// Deletes at most `limit` deliveries, with their attempts, that were finished before a time, Unix milliseconds.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    QUEUE.delete_finished(tx, before, limit).await
}
