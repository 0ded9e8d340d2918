//! Leases of deliveries: finds hooks with due deliveries, and leases them to the workers of all nodes.
//!
//! A lease is a due time in the near future: if a worker dies, its lease expires, and the delivery is due again. The
//! row of a hook is locked while its deliveries are leased, so that its limits apply to all nodes together.

use crate::hooks::deliveries::QUEUE;
use crate::hooks::{self, Hook};
use crate::{Dialect, Lease, Result, Tx};
use claimsmith_domain::id::{DeliveryId, HookId};

/// Maximum number of due deliveries of an ordered hook that are scanned for one that is next in its order.
pub(super) const MAX_DELIVERIES_SCANNED: i64 = 1000;

/// A hook with due deliveries.
#[derive(Clone, Debug)]
pub struct DueHook {
    /// The hook.
    pub hook: Hook,
    /// The used part of its limits.
    pub load: Load,
}

/// The used part of a hook's limits.
#[derive(Clone, Debug, crate::Row)]
pub struct Load {
    id: HookId,
    /// The credit of its rate limit at `rate_at`, in thousandths of a delivery.
    pub rate_credit: i64,
    /// Unix milliseconds.
    pub rate_at: i64,
    /// Deliveries in progress, on all nodes.
    pub in_flight: i64,
}

/// A leased delivery.
#[derive(Clone, Debug, crate::Row)]
pub struct Leased {
    /// The same in every attempt.
    pub id: DeliveryId,
    /// The hook.
    pub hook_id: HookId,
    /// Previous attempts, without this one.
    pub attempts: i64,
    /// The result of the transforms, JSON text.
    pub prepared: Option<String>,
    /// Such as `User.Created`.
    #[column(rename = "type")]
    pub kind: String,
    /// The JSON body, without the id of the hook.
    pub payload: String,
    /// The entity that the event is about, if the hook is ordered.
    pub entity: Option<String>,
}

#[derive(crate::Row)]
struct NextDue {
    due_at: Option<i64>,
}

/// When the next delivery is due, by the state of its hook; Unix milliseconds.
pub async fn next_due(tx: &mut Tx) -> Result<Option<i64>> {
    let next: NextDue = tx
        .sql(
            "SELECT MIN(CASE WHEN held_until > due_at THEN held_until ELSE due_at END) AS due_at FROM (\
             SELECT h.held_until, (SELECT MIN(d.due_at) FROM deliveries d WHERE d.hook_id = h.id \
             AND d.due_at IS NOT NULL) AS due_at FROM hooks h WHERE h.enabled AND NOT h.paused) AS waiting \
             WHERE due_at IS NOT NULL",
        )
        .one()
        .await?;
    Ok(next.due_at)
}

/// The hooks with due deliveries, locked until the transaction ends; hooks that another node has locked are skipped.
pub async fn due_hooks(tx: &mut Tx, now: i64) -> Result<Vec<DueHook>> {
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        // This lock does not block writing rows that refer to the hook.
        Dialect::Postgres => " FOR NO KEY UPDATE OF h SKIP LOCKED",
    };
    let loads: Vec<Load> = tx
        .assembled(format!(
            "SELECT id, rate_credit, rate_at, (SELECT COUNT(*) FROM deliveries d WHERE d.hook_id = h.id \
             AND d.claim IS NOT NULL AND d.due_at > $1) AS in_flight FROM hooks h \
             WHERE h.enabled AND NOT h.paused AND h.held_until <= $1 \
             AND EXISTS (SELECT 1 FROM deliveries d WHERE d.hook_id = h.id AND d.due_at <= $1) ORDER BY h.id{lock}"
        ))
        .bind(now)
        .all()
        .await?;
    let ids: Vec<&HookId> = loads.iter().map(|load| &load.id).collect();
    let mut hooks = hooks::of(tx, &ids).await?;
    Ok(loads.into_iter().filter_map(|load| Some(DueHook { hook: hooks.remove(&load.id)?, load })).collect())
}

/// Leases at most `limit` due deliveries of a hook, in the order of the events.
pub async fn lease(tx: &mut Tx, hook: &Hook, lease: Lease<'_>, limit: i64) -> Result<Vec<Leased>> {
    if hook.ordered {
        let wanted = format!(
            "SELECT seq FROM ({}) AS d WHERE entity IS NULL OR NOT EXISTS (SELECT 1 FROM deliveries e \
             WHERE e.hook_id = d.hook_id AND e.entity = d.entity AND e.seq < d.seq AND e.due_at IS NOT NULL) LIMIT $5",
            QUEUE.due("seq, hook_id, entity", &MAX_DELIVERIES_SCANNED.to_string())
        );
        QUEUE.lease_of(tx, &hook.id, &wanted, lease, limit).await?;
        postpone(tx, hook, lease.now).await?;
    } else {
        QUEUE.lease(tx, &hook.id, lease, limit).await?;
    }
    leased(tx, hook, lease.name).await
}

/// The deliveries of a hook with this lease, in the order of the events.
pub(super) async fn leased(tx: &mut Tx, hook: &Hook, lease: &str) -> Result<Vec<Leased>> {
    tx.sql(
        "SELECT d.id, d.hook_id, d.attempts, d.prepared, d.entity, e.type, e.payload FROM deliveries d \
         JOIN events e ON e.id = d.event_id WHERE d.hook_id = $1 AND d.claim = $2 ORDER BY d.seq",
    )
    .bind(&hook.id)
    .bind(lease)
    .all()
    .await
}

/// Deliveries that are ordered behind one that waits for a retry get the same due time, so that they do not block other
/// deliveries.
pub(super) async fn postpone(tx: &mut Tx, hook: &Hook, now: i64) -> Result<()> {
    let first = "FROM deliveries e WHERE e.hook_id = $1 AND e.entity = WAITING.entity AND e.seq < WAITING.seq \
         AND e.due_at > $2 AND e.claim IS NULL AND e.attempts > 0";
    let sql = format!(
        "UPDATE deliveries SET due_at = (SELECT MIN(e.due_at) {}) \
         WHERE seq IN (SELECT seq FROM ({}) AS d WHERE EXISTS (SELECT 1 {}))",
        first.replace("WAITING", "deliveries"),
        QUEUE.due("seq, hook_id, entity", &MAX_DELIVERIES_SCANNED.to_string()),
        first.replace("WAITING", "d"),
    );
    tx.assembled(sql).bind(&hook.id).bind(now).execute().await?;
    Ok(())
}

/// Stores the state of a hook's token bucket.
pub async fn spend(tx: &mut Tx, hook_id: &HookId, credit: i64, now: i64) -> Result<()> {
    let sql = "UPDATE hooks SET rate_credit = $1, rate_at = $2 WHERE id = $3";
    tx.sql(sql).bind(credit).bind(now).bind(hook_id).execute().await?;
    Ok(())
}

/// Moves all due times after `now` back by so many milliseconds, because the clock went back by as much.
pub async fn bring_forward(tx: &mut Tx, now: i64, by: i64) -> Result<u64> {
    tx.sql("UPDATE hooks SET held_until = held_until - $1 WHERE held_until > $2").bind(by).bind(now).execute().await?;
    QUEUE.bring_forward(tx, now, by).await
}
