//! Deletes what has expired, in small batches, so that no request waits for it.

use crate::app::App;
use crate::storage::{
    self, activity, deliveries, hook_statistics, issuances, outbox, plugin_logs, signing_keys, subject_tokens,
};
use activity::DAY;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it looks.
const INTERVAL: Duration = Duration::from_mins(1);
/// Most rows in one transaction.
const BATCH: i64 = 500;
/// How long a row is kept after its expiry, for those who ask what happened: an hour, in milliseconds.
const KEPT: i64 = 3_600_000;

/// How long lines of plugins are kept: a week, in milliseconds.
const LINES_KEPT: i64 = 7 * 24 * 3_600_000;
/// How many lines of all plugins are kept.
const LINES: i64 = 100_000;

/// How long the days on which users were active are kept, for those who compare months: 400 days.
const ACTIVE_DAYS: i64 = 400;

/// Sweeps until told to stop.
pub async fn run(app: App, stopping: CancellationToken) {
    while stopping.run_until_cancelled(tokio::time::sleep(INTERVAL)).await.is_some() {
        if let Err(error) = sweep(&app).await {
            tracing::warn!(%error, "the sweep failed; it tries again");
        }
    }
}

/// Deletes everything that expired long enough ago, and answers how many rows that were.
pub async fn sweep(app: &App) -> storage::Result<u64> {
    let before = app.clock.now_ms() - KEPT;
    let lines_before = app.clock.now_ms() - LINES_KEPT;
    let days_before = app.clock.now_ms() / DAY - ACTIVE_DAYS;
    let deliveries_before = app.clock.now_ms() - app.config.webhooks.retention_days * DAY;
    let mut deleted = 0;
    loop {
        let mut tx = app.db.begin().await?;
        let batch = subject_tokens::sweep(&mut tx, before, BATCH).await?
            + issuances::sweep(&mut tx, before, BATCH).await?
            + deliveries::sweep(&mut tx, deliveries_before, BATCH).await?
            + outbox::sweep(&mut tx, before, BATCH).await?
            + hook_statistics::sweep(&mut tx, app.clock.now_ms() - 2 * DAY, BATCH).await?
            + activity::sweep(&mut tx, days_before, BATCH).await?
            + signing_keys::sweep(&mut tx, before).await?
            + plugin_logs::sweep(&mut tx, lines_before, LINES, BATCH).await?;
        tx.commit().await?;
        deleted += batch;
        if batch < BATCH.unsigned_abs() {
            return Ok(deleted);
        }
    }
}
