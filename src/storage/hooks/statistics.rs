//! Delivery statistics of hooks per minute, so that the sum of a day is cheap.

use crate::sql::filter::Placeholders;
use crate::{Result, Tx};
use claimsmith_domain::id::HookId;

/// A minute in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// The results of a hook's deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct HookStatistics {
    /// Attempts.
    pub requests: i64,
    /// Successful attempts.
    pub successes: i64,
}

#[derive(crate::Row)]
struct OfHook {
    hook_id: HookId,
    #[column(flatten)]
    statistics: HookStatistics,
}

/// Adds to the counts of hooks at a time, Unix milliseconds. Skips hooks that were deleted.
pub async fn add(tx: &mut Tx, more: &[(&HookId, HookStatistics)], at: i64) -> Result<()> {
    if more.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(4, more.len());
    // In the order of the hooks, against deadlocks. SQLite reads `ON CONFLICT` as a part of the join without a `WHERE`.
    let mut statement = tx.assembled(format!(
        "INSERT INTO hook_statistics (hook_id, minute, requests, successes) \
         SELECT h.id, v.column2, v.column3, v.column4 FROM (VALUES {rows}) AS v JOIN hooks h ON h.id = v.column1 \
         WHERE TRUE ORDER BY h.id \
         ON CONFLICT (hook_id, minute) DO UPDATE SET requests = hook_statistics.requests + excluded.requests, \
         successes = hook_statistics.successes + excluded.successes"
    ));
    for (hook_id, counts) in more {
        statement = statement.bind(*hook_id).bind(at.div_euclid(MINUTE_MS));
        statement = statement.bind(counts.requests).bind(counts.successes);
    }
    statement.execute().await?;
    Ok(())
}

/// The counts of these hooks since a time, Unix milliseconds, rounded to the minute; hooks without counts are omitted.
pub async fn since(tx: &mut Tx, hook_ids: &[&HookId], from: i64) -> Result<Vec<(HookId, HookStatistics)>> {
    if hook_ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut placeholders = Placeholders::of(tx);
    let sql = format!(
        "SELECT hook_id, CAST(SUM(requests) AS BIGINT) AS requests, CAST(SUM(successes) AS BIGINT) AS successes \
         FROM hook_statistics WHERE hook_id IN ({}) AND minute >= {} GROUP BY hook_id",
        placeholders.list(hook_ids.len()),
        placeholders.list(1),
    );
    let rows: Vec<OfHook> = tx.assembled(sql).bind_all(hook_ids).bind(from.div_euclid(MINUTE_MS)).all().await?;
    Ok(rows.into_iter().map(|row| (row.hook_id, row.statistics)).collect())
}

/// Deletes the counts of at most `limit` minutes before a time, Unix milliseconds.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    let rows = "SELECT hook_id, minute FROM hook_statistics WHERE minute < $1 ORDER BY hook_id, minute LIMIT $2";
    let sql = format!("DELETE FROM hook_statistics WHERE (hook_id, minute) IN ({rows})");
    tx.assembled(sql).bind(before.div_euclid(MINUTE_MS)).bind(limit).execute().await
}
