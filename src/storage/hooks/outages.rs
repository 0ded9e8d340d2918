//! Deliveries to a receiver that is down: a failed attempt counts for all that were due, so that thousands of them cost
//! one request and one statement. The last attempt of a delivery is always its own.

use crate::hooks::Hook;
use crate::hooks::deliveries::QUEUE;
use crate::hooks::leases::{self, Leased};
use crate::{Dialect, Lease, Result, Tx};

/// A failure of a receiver.
#[derive(Clone, Copy, Debug)]
pub struct ReceiverFailure<'a> {
    /// It counts for deliveries that were due then, Unix milliseconds.
    pub at: i64,
    /// The error of the attempt.
    pub error: &'a str,
    /// The delay after each attempt, milliseconds. There is one more attempt than delays.
    pub delays_ms: &'a [i64],
}

/// Whether a delivery `d` of an ordered hook is next in its order.
const IS_NEXT: &str = "(entity IS NULL OR NOT EXISTS (SELECT 1 FROM deliveries e WHERE e.hook_id = d.hook_id \
     AND e.entity = d.entity AND e.seq < d.seq AND e.due_at IS NOT NULL))";

/// Selects the `seq` of due deliveries of the hook `$1` at the time `$2` with this further condition, at most `$5`,
/// oldest first. Of an ordered hook, no more are read than a lease reads: who waits behind a retry is postponed, and not
/// read again.
fn due(tx: &Tx, hook: &Hook, condition: &str) -> String {
    if hook.ordered {
        let most = leases::MAX_DELIVERIES_SCANNED;
        return format!(
            "SELECT seq FROM (SELECT seq, hook_id, entity FROM deliveries WHERE hook_id = $1 AND due_at <= $2 \
             AND {condition} ORDER BY due_at, seq LIMIT {most}) AS d WHERE {IS_NEXT} LIMIT $5"
        );
    }
    let skip = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    format!(
        "SELECT seq FROM deliveries WHERE hook_id = $1 AND due_at <= $2 AND {condition} \
         ORDER BY due_at, seq LIMIT $5{skip}"
    )
}

/// Counts a failed attempt for at most `limit` deliveries that were due at the failure of their receiver and are not
/// being attempted, and returns their number. Their next due time is that of a retry after `now`, with a jitter of a
/// tenth by their sequence number. A delivery that has one attempt left is skipped.
pub async fn move_on(tx: &mut Tx, hook: &Hook, failure: ReceiverFailure<'_>, now: i64, limit: i64) -> Result<u64> {
    let ReceiverFailure { at, error, delays_ms } = failure;
    if delays_ms.is_empty() {
        return Ok(0);
    }
    let delay = |attempts: usize| format!(" WHEN {attempts} THEN ${}", attempts + 6);
    let delays = (0..delays_ms.len()).map(delay).collect::<Vec<_>>().concat();
    let due = due(tx, hook, &format!("claim IS NULL AND attempts < {}", delays_ms.len()));
    let moved = tx
        .assembled(format!(
            "UPDATE deliveries SET due_at = $3 + CASE attempts{delays} END / 100 * (90 + 20 * (seq % 256) / 255), \
             attempts = attempts + 1, note = $4 WHERE seq IN ({due})"
        ))
        .bind(&hook.id)
        .bind(at.min(now))
        .bind(now)
        .bind(error)
        .bind(limit)
        .bind_all(delays_ms)
        .execute()
        .await?;
    if hook.ordered {
        leases::postpone(tx, hook, now).await?;
    }
    Ok(moved)
}

/// Leases at most `limit` due deliveries of a hook that have one attempt left after so many retries.
pub async fn lease_last(tx: &mut Tx, hook: &Hook, lease: Lease<'_>, retries: usize, limit: i64) -> Result<Vec<Leased>> {
    let wanted = due(tx, hook, &format!("attempts >= {retries}"));
    if QUEUE.lease_of(tx, &hook.id, &wanted, lease, limit).await? == 0 {
        return Ok(Vec::new());
    }
    leases::leased(tx, hook, lease.name).await
}
