//! Heartbeat: once a minute, each node records that it is alive, and its counts since the last time (`activity`).

use claimsmith_services::activity::{Counts, PLUGINS};
use claimsmith_services::app::App;
use claimsmith_services::plugins::VersionCalls;
use claimsmith_services::supervisor::contain;
use claimsmith_storage as storage;
use claimsmith_storage::nodes::{self, Node};
use claimsmith_storage::plugins;
use claimsmith_storage::statistics::activity::{self, Sample};
use claimsmith_storage::statistics::plugin_calls::{self, PluginCalls};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A node that reported within this time is alive, in milliseconds.
pub const ALIVE_MS: i64 = 180_000;
/// The interval between heartbeats.
const INTERVAL: Duration = Duration::from_mins(1);
/// Timeout of the last heartbeat, at shutdown.
const LAST_TIMEOUT: Duration = Duration::from_secs(2);
/// The span of a bucket, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Writes heartbeats until shutdown, and a last one then.
pub async fn run(app: App, stopping: CancellationToken) {
    loop {
        // A panic was logged, and is retried like an error.
        if let Ok(Err(error)) = contain("heartbeat", beat(&app)).await {
            tracing::warn!(%error, "the activity of this node could not be written; trying again");
        }
        if stopping.run_until_cancelled(tokio::time::sleep(INTERVAL)).await.is_none() {
            break;
        }
    }
    let last = async {
        write(&app).await?;
        let mut tx = app.db.begin().await?;
        nodes::remove(&mut tx, &app.node.id).await?;
        plugins::nodes::forget(&mut tx, &app.node.id).await?;
        tx.commit().await
    };
    // With a timeout: shutdown must not wait for an unavailable database.
    match tokio::time::timeout(LAST_TIMEOUT, contain("heartbeat", last)).await {
        Ok(Ok(Err(error))) => tracing::warn!(%error, "the last activity of this node could not be written"),
        Ok(_) => {}
        Err(_) => tracing::warn!("the last activity of this node could not be written in time"),
    }
}

/// Records that this node is alive, and its counts.
pub async fn beat(app: &App) -> storage::Result<()> {
    let node = Node {
        id: app.node.id.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: app.node.started_at,
        seen_at: app.clock.now_ms(),
    };
    let mut tx = app.db.begin().await?;
    nodes::heartbeat(&mut tx, &node).await?;
    tx.commit().await?;
    write(app).await
}

/// Writes the counts of this node; on failure, they are added back.
async fn write(app: &App) -> storage::Result<()> {
    // Counts taken just after the end of a minute belong to that minute.
    let bucket = (app.clock.now_ms() - 1).div_euclid(MINUTE_MS) * MINUTE_MS;
    let counted = app.activity.take();
    let plugins = app.plugins.take_activity();
    let calls = app.plugins.take_calls();
    let samples = counted.iter().map(|(kind, name, counts)| sample(kind, name, *counts));
    let samples: Vec<Sample> =
        samples.chain(plugins.iter().map(|(name, counts)| sample(PLUGINS, name, *counts))).collect();
    let rows: Vec<PluginCalls> = calls.iter().map(|(name, calls)| plugin_calls_row(name, calls)).collect();
    if samples.is_empty() && rows.is_empty() {
        return Ok(());
    }
    let written = async {
        let mut tx = app.db.begin().await?;
        activity::add(&mut tx, bucket, &app.node.id, &samples).await?;
        plugin_calls::add(&mut tx, bucket, &app.node.id, &rows).await?;
        tx.commit().await
    };
    let outcome = written.await;
    if outcome.is_err() {
        for (kind, name, counts) in counted {
            app.activity.give_back(kind, name, counts);
        }
        for (name, counts) in plugins {
            app.plugins.give_back_activity(&name, counts);
        }
        for (name, calls) in calls {
            app.plugins.give_back_calls(&name, calls);
        }
    }
    outcome
}

/// The row of the calls of a version.
#[must_use]
pub fn plugin_calls_row(name: &str, calls: &VersionCalls) -> PluginCalls {
    let last = calls.last.as_ref();
    PluginCalls {
        plugin: name.to_owned(),
        digest: calls.digest.to_string(),
        calls: number(calls.calls),
        denied: number(calls.denied),
        failed: number(calls.failed),
        last_outcome: last.map(|last| last.outcome.to_owned()),
        last_error: last.map(|last| last.error.clone()),
        last_request_id: last.and_then(|last| last.request_id.clone()),
    }
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn sample(kind: &str, name: &str, counts: Counts) -> Sample {
    Sample {
        kind: kind.to_owned(),
        name: name.to_owned(),
        count: number(counts.count),
        failures: number(counts.failures),
        microseconds: number(counts.microseconds),
        slowest: number(counts.slowest),
    }
}
