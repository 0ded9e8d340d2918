//! How many entries the audit log has, by key, without counting them again and again: those from before some time are counted
//! once, and only later ones are counted when somebody asks. Retention moves that time on.
//!
//! Entries are written in the moment that they are of. Who writes one that is older adds it to the counts, and who deletes
//! entries takes them off; both keep that time from moving until their transaction ends.

use super::{OF_THE_LOG, StoredAuditEntry, begins_with};
use crate::sql::conditions::Conditions;
use crate::sql::filter::Placeholders;
use crate::sql::slice::Count;
use crate::{Dialect, Result, Tx};
use claimsmith_domain::clock::Clock;
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// Entries of the last five minutes are not counted in advance, since transactions may still write some.
pub const SETTLED_AFTER_MS: i64 = 300_000;
/// Entries that are older than this when they are written may have been counted in advance.
const LATE_AFTER_MS: i64 = 240_000;
/// An arbitrary number that no other program uses: "claimlog" as ASCII.
const LOCK: i64 = 0x63_6c_61_69_6d_6c_6f_67;

#[derive(crate::Row)]
struct Moment {
    at: i64,
}

/// Keeps the time until which entries are counted until the transaction ends.
pub(super) async fn hold(tx: &mut Tx) -> Result<()> {
    if tx.dialect() == Dialect::Postgres {
        tx.sql("SELECT pg_advisory_xact_lock_shared($1)").bind(LOCK).execute().await?;
    }
    Ok(())
}

/// Unix milliseconds.
async fn counted_until(tx: &mut Tx) -> Result<i64> {
    let sql = "SELECT value AS at FROM totals WHERE name = 'logs_counted_until' AND slot = 0";
    Ok(tx.sql(sql).one::<Moment>().await?.at)
}

/// The number of entries with this key, or with a key that begins so; without either, of all.
pub(super) async fn count(tx: &mut Tx, key: Option<&str>, prefix: Option<&str>) -> Result<i64> {
    let mut conditions = Conditions::on("log_counts", tx);
    conditions.text("key = ?", key);
    begins_with(&mut conditions, "+key", prefix);
    // In one statement, so that no entry is counted twice or not at all while the time moves on.
    let sql = format!(
        "SELECT (SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) FROM log_counts{}) + (SELECT COUNT(*) FROM logs \
         WHERE {OF_THE_LOG} AND created_at >= \
         (SELECT value FROM totals WHERE name = 'logs_counted_until' AND slot = 0){}) AS count",
        conditions.sql(),
        conditions.further(),
    );
    Ok(conditions.bind_to(tx.assembled(sql)).one::<Count>().await?.count)
}

/// Counts about `limit` of the entries from before a time, Unix milliseconds. `false` once all are counted. The time until
/// which they are counted stays behind the last of them: a clock that is ahead for a moment must not hide those to come.
pub async fn count_up(tx: &mut Tx, before: i64, limit: i64) -> Result<bool> {
    if tx.dialect() == Dialect::Postgres {
        tx.sql("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute().await?;
    }
    let from = counted_until(tx).await?;
    if before <= from {
        return Ok(false);
    }
    let sql = format!(
        "SELECT created_at AS at FROM logs WHERE {OF_THE_LOG} AND created_at >= $1 AND created_at < $2 \
         ORDER BY created_at LIMIT 1 OFFSET $3"
    );
    let last: Option<Moment> = tx.assembled(sql).bind(from).bind(before).bind(limit).optional().await?;
    let is_more = last.is_some();
    let until = if let Some(last) = last {
        // At least a millisecond, however many entries it has.
        last.at.max(from + 1)
    } else {
        let sql = format!(
            "SELECT COALESCE(MAX(created_at) + 1, 0) AS at FROM logs \
                 WHERE {OF_THE_LOG} AND created_at >= $1 AND created_at < $2"
        );
        tx.assembled(sql).bind(from).bind(before).one::<Moment>().await?.at
    };
    if until <= from {
        return Ok(false);
    }
    let sql = format!(
        "INSERT INTO log_counts (key, value) SELECT key, COUNT(*) FROM logs \
         WHERE {OF_THE_LOG} AND created_at >= $1 AND created_at < $2 GROUP BY key \
         ON CONFLICT (key) DO UPDATE SET value = log_counts.value + excluded.value"
    );
    tx.assembled(sql).bind(from).bind(until).execute().await?;
    let sql = "UPDATE totals SET value = $1 WHERE name = 'logs_counted_until' AND slot = 0";
    tx.sql(sql).bind(until).execute().await?;
    Ok(is_more)
}

/// Adds those of these entries that may belong to the time that is counted.
pub(super) async fn add_late(tx: &mut Tx, logs: &[impl Borrow<StoredAuditEntry>]) -> Result<()> {
    let late = Clock::system().now_ms() - LATE_AFTER_MS;
    let logs: Vec<&StoredAuditEntry> = logs.iter().map(Borrow::borrow).collect();
    if logs.iter().all(|log| log.created_at >= late) {
        return Ok(());
    }
    hold(tx).await?;
    let entries: Vec<(&str, i64)> = logs.iter().map(|log| (log.key.as_str(), log.created_at)).collect();
    change(tx, &entries, 1).await
}

/// Takes off entries that are deleted.
pub(super) async fn subtract(tx: &mut Tx, entries: &[(&str, i64)]) -> Result<()> {
    change(tx, entries, -1).await
}

async fn change(tx: &mut Tx, entries: &[(&str, i64)], by: i64) -> Result<()> {
    let until = counted_until(tx).await?;
    // In a fixed order, so that two nodes do not deadlock.
    let mut changes: BTreeMap<&str, i64> = BTreeMap::new();
    for &(key, created_at) in entries {
        if created_at < until && !key.starts_with("TriggerHook.") {
            *changes.entry(key).or_default() += by;
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(2, changes.len());
    let mut statement = tx.assembled(format!(
        "INSERT INTO log_counts (key, value) VALUES {rows} \
         ON CONFLICT (key) DO UPDATE SET value = log_counts.value + excluded.value"
    ));
    for (key, change) in changes {
        statement = statement.bind(key).bind(change);
    }
    statement.execute().await?;
    Ok(())
}
