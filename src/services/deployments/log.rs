//! The plugin log: lines are buffered while tokens are issued, and written to the database in batches after the
//! response.

use crate::plugins::PluginLine;
use crate::supervisor::{Panicked, contain};
use claimsmith_domain::clock::Clock;
use claimsmith_runtime::Level;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::logs::NewLine;
use claimsmith_storage::{self as storage, Db};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Lines that wait to be written; more are lost, and counted.
pub const QUEUE_CAPACITY: usize = 4096;
/// Most lines of one transaction.
const LINES_PER_TRANSACTION: usize = 500;
/// How long lines gather before they are written.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// Writes lines until shutdown, and then those that are buffered.
pub async fn run(db: Db, clock: Clock, mut lines: mpsc::Receiver<PluginLine>, stopping: CancellationToken) {
    let mut batch = Vec::new();
    loop {
        let stopped = tokio::select! {
            count = lines.recv_many(&mut batch, LINES_PER_TRANSACTION) => count == 0,
            () = stopping.cancelled() => true,
        };
        if stopped {
            while let Ok(line) = lines.try_recv() {
                batch.push(line);
            }
        }
        for part in batch.chunks(LINES_PER_TRANSACTION) {
            match contain("plugin log", write(&db, &clock, part)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, lines = part.len(), "plugin log lines could not be written and are lost");
                }
                // The panic was logged.
                Err(Panicked) => tracing::warn!(lines = part.len(), "plugin log lines are lost"),
            }
        }
        batch.clear();
        if stopped {
            return;
        }
        // Lines that arrive in the meantime share one transaction.
        stopping.run_until_cancelled(tokio::time::sleep(FLUSH_INTERVAL)).await;
    }
}

async fn write(db: &Db, clock: &Clock, lines: &[PluginLine]) -> storage::Result<()> {
    let now = clock.now_ms();
    let rows: Vec<NewLine> = lines.iter().map(|line| row(line, now)).collect();
    let mut tx = db.begin().await?;
    plugins::logs::append(&mut tx, &rows).await?;
    tx.commit().await
}

fn row(line: &PluginLine, now: i64) -> NewLine {
    NewLine {
        plugin_name: line.plugin.to_string(),
        level: name(line.level),
        message: line.message.clone(),
        request_id: line.request_id.clone(),
        digest: Some(line.digest.to_string()),
        created_at: now,
    }
}

fn name(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warn => "warn",
        Level::Error => "error",
    }
}
