//! Retention: deletes expired rows (tokens, sessions, audit log, deliveries, plugin logs), in small batches, so that
//! requests are not delayed.

use claimsmith_domain::adaptive_mfa::WINDOW_MS;
use claimsmith_services::activity::MINUTES_KEPT_MS;
use claimsmith_services::app::App;
use claimsmith_services::supervisor::contain;
use claimsmith_storage::console;
use claimsmith_storage::issuing::{client_assertions, issuances, subject_tokens};
use claimsmith_storage::organizations::members;
use claimsmith_storage::sessions::backchannel_logouts;
use claimsmith_storage::sessions::{
    self, attempts, codes, devices, grants, interactions, known_browsers, pushed_requests, refresh_tokens,
    sign_in_places, trusted_devices,
};
use claimsmith_storage::statistics::{activity, plugin_calls};
use claimsmith_storage::users::activity::DAY_MS;
use claimsmith_storage::users::{self, avatars};
use claimsmith_storage::verification::{one_time_tokens, verification_codes, verification_records};
use claimsmith_storage::{self as storage, Tx, audit, hooks, messages, nodes, plugins, signing_keys};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The interval between two runs.
const INTERVAL: Duration = Duration::from_mins(1);
/// Maximum rows per transaction.
const ROWS_PER_TRANSACTION: i64 = 500;
/// Uses of tokens, and entries of the audit log, that one transaction counts.
const USES_PER_COUNT: i64 = 1000;
const ENTRIES_PER_COUNT: i64 = 10_000;
/// The pause between two counts, in which others write.
const PAUSE_BETWEEN_COUNTS: Duration = Duration::from_millis(10);
/// Retention of expired rows for inspection: an hour, in milliseconds.
const KEPT_AFTER_EXPIRY_MS: i64 = 3_600_000;

/// Retention of plugin log lines: a week, in milliseconds.
const PLUGIN_LOG_RETENTION_MS: i64 = 7 * 24 * 3_600_000;
/// Maximum stored log lines of all plugins.
const MAX_PLUGIN_LOG_LINES: i64 = 100_000;

/// Retention of users' active days: 400 days, so that months can be compared.
const ACTIVITY_RETENTION_DAYS: i64 = 400;

/// Retention of activity counts: 30 days, in milliseconds.
const COUNTS_RETENTION_MS: i64 = 30 * DAY_MS;
/// Retention of the calls of plugins by the minute: two hours, in milliseconds. Only the last hour is shown.
const PLUGIN_CALLS_RETENTION_MS: i64 = 2 * 3_600_000;
/// Retention of failures of plugins, and of breakers that are open for a user who does not come back: an hour, as long as
/// the longest window, in milliseconds.
const BREAKER_IDLE_MS: i64 = 3_600_000;
/// Retention of breakers that no call has probed, since their version is no longer called: 30 days, in milliseconds.
const BREAKER_RETENTION_MS: i64 = 30 * DAY_MS;
/// Retention of samples of rollouts: a week, in milliseconds.
const ROLLOUT_SAMPLE_RETENTION_MS: i64 = 7 * DAY_MS;
/// Retention of nodes without a heartbeat: a day, in milliseconds.
const NODE_RETENTION_MS: i64 = DAY_MS;

/// Deletes expired rows at an interval, until shutdown. Counts first: what an earlier version left is counted from the start.
pub async fn run(app: App, stopping: CancellationToken) {
    loop {
        let counted = stopping.run_until_cancelled(contain("counting", count_up(&app))).await;
        if let Some(Ok(Err(error))) = counted {
            tracing::warn!(%error, "entries could not be counted; trying again");
        }
        if stopping.run_until_cancelled(tokio::time::sleep(INTERVAL)).await.is_none() {
            return;
        }
        // A panic was logged, and is retried like an error.
        if let Ok(Err(error)) = contain("retention", delete_expired(&app)).await {
            tracing::warn!(%error, "expired rows could not be deleted; trying again");
        }
    }
}

/// Counts what lists and charts would otherwise count each time: entries of the audit log, and active users.
pub async fn count_up(app: &App) -> storage::Result<()> {
    loop {
        let now = app.clock.now_ms();
        let mut tx = app.db.begin().await?;
        // In this order, in which deletion takes their locks as well.
        let uses_before = now - users::activity::SETTLED_AFTER_MS;
        let uses = users::activity::count_up(&mut tx, uses_before, USES_PER_COUNT).await?;
        let logs_before = now - audit::counts::SETTLED_AFTER_MS;
        let logs = audit::counts::count_up(&mut tx, logs_before, ENTRIES_PER_COUNT).await?;
        tx.commit().await?;
        if !uses && !logs {
            return Ok(());
        }
        tokio::time::sleep(PAUSE_BETWEEN_COUNTS).await;
    }
}

/// Deletes the rows whose retention is over, and returns their number.
pub async fn delete_expired(app: &App) -> storage::Result<u64> {
    let before = app.clock.now_ms() - KEPT_AFTER_EXPIRY_MS;
    let lines_before = app.clock.now_ms() - PLUGIN_LOG_RETENTION_MS;
    let days_before = app.clock.now_ms() / DAY_MS - ACTIVITY_RETENTION_DAYS;
    let deliveries_before = app.clock.now_ms() - app.config.webhooks.retention_days * DAY_MS;
    let logs_before = match app.config.audit.retention_days {
        0 => i64::MIN,
        days => app.clock.now_ms() - days * DAY_MS,
    };
    let idle_ttl = i64::try_from(app.config.sessions.idle_ttl.as_millis()).unwrap_or(i64::MAX / 2);
    let mut deleted = 0;
    loop {
        let mut tx = app.db.begin().await?;
        let batch = subject_tokens::delete_expired(&mut tx, before, ROWS_PER_TRANSACTION).await?
            + issuances::delete_expired(&mut tx, before, ROWS_PER_TRANSACTION).await?
            + issuances::delete_impersonations(&mut tx, before.min(logs_before), ROWS_PER_TRANSACTION).await?
            + delete_of_operations(&mut tx, app.clock.now_ms()).await?
            + client_assertions::delete_expired(&mut tx, before, ROWS_PER_TRANSACTION).await?
            + hooks::deliveries::delete_expired(&mut tx, deliveries_before, ROWS_PER_TRANSACTION).await?
            + backchannel_logouts::delete_expired(&mut tx, deliveries_before, ROWS_PER_TRANSACTION).await?
            + messages::delete_expired(&mut tx, deliveries_before, ROWS_PER_TRANSACTION).await?
            + hooks::outbox::delete_expired(&mut tx, before, ROWS_PER_TRANSACTION).await?
            + hooks::statistics::delete_expired(&mut tx, app.clock.now_ms() - 2 * DAY_MS, ROWS_PER_TRANSACTION).await?
            + audit::delete_expired(&mut tx, logs_before, ROWS_PER_TRANSACTION).await?
            + users::activity::delete_expired(&mut tx, days_before, ROWS_PER_TRANSACTION).await?
            + signing_keys::delete_expired(&mut tx, before).await?
            + delete_of_sign_ins(&mut tx, before, before - idle_ttl).await?
            + delete_of_nobody(&mut tx, app.clock.now_ms()).await?
            + plugins::recordings::delete_expired(&mut tx, app.clock.now_ms(), ROWS_PER_TRANSACTION).await?
            + plugins::population_runs::delete_expired(&mut tx, app.clock.now_ms(), ROWS_PER_TRANSACTION).await?
            + plugins::logs::delete_expired(&mut tx, lines_before, MAX_PLUGIN_LOG_LINES, ROWS_PER_TRANSACTION).await?;
        tx.commit().await?;
        deleted += batch;
        if batch < ROWS_PER_TRANSACTION.unsigned_abs() {
            return Ok(deleted);
        }
    }
}

/// Deletes operational data, and compacts counts. Nodes, breakers, receivers and compacted member counts are not part of the
/// returned number, so they do not trigger another batch.
async fn delete_of_operations(tx: &mut Tx, now: i64) -> storage::Result<u64> {
    nodes::delete_expired(tx, now - NODE_RETENTION_MS).await?;
    plugins::nodes::delete_expired(tx, now - NODE_RETENTION_MS).await?;
    plugins::breakers::delete_expired(tx, now - BREAKER_IDLE_MS, now - BREAKER_RETENTION_MS).await?;
    hooks::receivers::delete_expired(tx, now).await?;
    plugins::recordings::end_overdue(tx, now).await?;
    members::add_up_counts(tx, ROWS_PER_TRANSACTION).await?;
    Ok(activity::roll_up(tx, now - MINUTES_KEPT_MS, ROWS_PER_TRANSACTION).await?
        + activity::delete_expired(tx, now - COUNTS_RETENTION_MS, ROWS_PER_TRANSACTION).await?
        + plugins::rollouts::delete_expired(tx, now - ROLLOUT_SAMPLE_RETENTION_MS, ROWS_PER_TRANSACTION).await?
        + plugin_calls::delete_expired(tx, now - PLUGIN_CALLS_RETENTION_MS, ROWS_PER_TRANSACTION).await?)
}

/// Deletes expired data that outsiders can create and operators never inspect, without extra retention.
async fn delete_of_nobody(tx: &mut Tx, now: i64) -> storage::Result<u64> {
    Ok(pushed_requests::delete_expired(tx, now, ROWS_PER_TRANSACTION).await?
        + avatars::delete_expired(tx, now, ROWS_PER_TRANSACTION).await?)
}

/// Deletes expired data of sign-ins.
async fn delete_of_sign_ins(tx: &mut Tx, before: i64, idle_before: i64) -> storage::Result<u64> {
    Ok(sessions::delete_expired(tx, before, idle_before, ROWS_PER_TRANSACTION).await?
        + interactions::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + codes::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + devices::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + refresh_tokens::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + grants::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + known_browsers::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + trusted_devices::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + sign_in_places::delete_expired(tx, before - WINDOW_MS, ROWS_PER_TRANSACTION).await?
        + verification_codes::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + one_time_tokens::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + verification_records::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + console::links::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + console::invitations::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + console::confirmations::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + console::sessions::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?
        + attempts::delete_expired(tx, before, ROWS_PER_TRANSACTION).await?)
}
