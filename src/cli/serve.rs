//! `claimsmith serve`: starts the server, says what runs and when it is ready, waits for a signal, and shuts down gracefully.

use super::banner::Banner;
use crate::server::Server;
use claimsmith_cli::terminal::print_line;
use claimsmith_config::Config;
use claimsmith_config::telemetry;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::Random;
use claimsmith_services::plugins::Plugins;
use claimsmith_services::supervisor::Tasks;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The time after the start before the engine of test calls is prepared: first, requests and plugins are served.
const BEFORE_WARM_UP: Duration = Duration::from_secs(10);

/// Runs a server until a shutdown signal.
pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    let began = Instant::now();
    let held = telemetry::start_logging(&config.log)?;
    let format = config.log.format;
    let metrics = telemetry::start_metrics()?;
    let tasks = Tasks::default();
    tasks.stop_on_signals()?;
    let server = Server::start(config, (Clock::system(), Random::system()), &tasks, Some(metrics)).await?;
    print_line(&Banner::of(&server).await?.rendered(format));
    drop(held);
    let app = &server.app;
    tasks.spawn_item("readiness", say_when_ready(began, app.plugins.clone(), tasks.stopping()));
    tasks.spawn_item("preparing trials of plugins", warm_trials(app.plugins.clone(), tasks.stopping()));
    tasks.stopping().cancelled().await;
    let (grace, db) = (server.app.config.server.shutdown_grace, server.app.db.clone());
    // The write queue ends when its last sender is dropped.
    drop(server);
    if let Err(unfinished) = tasks.drain(grace).await {
        tracing::warn!(%unfinished, "the shutdown grace period ended before all tasks finished");
    }
    db.close().await;
    Ok(())
}

/// Writes to the log when the server is ready, and how long its start took.
async fn say_when_ready(began: Instant, plugins: Plugins, stopping: CancellationToken) {
    if stopping.run_until_cancelled(plugins.until_ready()).await.is_some() {
        tracing::info!(
            seconds = began.elapsed().as_secs_f64(),
            "ready: all mandatory plugins have been loaded or refused"
        );
    }
    if stopping.run_until_cancelled(plugins.settled()).await.is_some() {
        tracing::debug!(seconds = began.elapsed().as_secs_f64(), "all plugins have been loaded or refused");
    }
}

/// Prepares the engine of test calls, once the plugins are loaded, so that the first one of an operator does not wait.
async fn warm_trials(plugins: Plugins, stopping: CancellationToken) {
    let warmed = async {
        plugins.settled().await;
        tokio::time::sleep(BEFORE_WARM_UP).await;
        plugins.warm_trials().await
    };
    if let Some(Err(error)) = stopping.run_until_cancelled(warmed).await {
        tracing::debug!(%error, "the engine of test calls could not be prepared; the first one will");
    }
}
