//! `claimsmith serve`: set up, listen, drain.

use crate::bootstrap::BootstrapReport;
use crate::clock::Clock;
use crate::config::Config;
use crate::server::Server;
use crate::supervisor::Tasks;
use crate::telemetry;
use claimsmith_cli::terminal::say;

/// Runs a server until it is told to stop.
pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    telemetry::start_logging(&config.log)?;
    let metrics = telemetry::start_metrics()?;
    let tasks = Tasks::default();
    tasks.stop_on_signals()?;
    let server = Server::start(config, Clock::system(), &tasks, Some(metrics)).await?;
    if let Some(report) = &server.report {
        show(report);
    }
    say(&format!("Claimsmith listens on http://{}; base URL {}", server.listen, server.app.config.server.base_url));
    tasks.stopping().cancelled().await;
    let (grace, db) = (server.app.config.server.shutdown_grace, server.app.db.clone());
    // The write queue ends with the last of those who can write to it.
    drop(server);
    if let Err(unfinished) = tasks.drain(grace).await {
        tracing::warn!(%unfinished, "stopped before everything was done");
    }
    db.close().await;
    Ok(())
}

/// Shows, once, what was made at this start.
fn show(report: &BootstrapReport) {
    say("This is a new database. These secrets are shown once; they are also in bootstrap.json of the data folder.");
    if let Some(management) = &report.management_api {
        say("\n  Management API (machine-to-machine)");
        say(&format!("    resource       {}", management.resource));
        say(&format!("    client id      {}", management.client_id));
        say(&format!("    client secret  {}", management.client_secret));
    }
    if let Some(demo) = &report.demo {
        say("\n  Demo data");
        say(&format!("    API            {} ({})", demo.resource, demo.scopes.join(", ")));
        say(&format!("    customer       {}", demo.customer_user_id));
        say(&format!("    engineer       {}", demo.engineer_user_id));
        say(&format!("    SPA            {}", demo.spa_client_id));
        say(&format!("    web            {}", demo.web_client_id));
        say(&format!("    web secret     {}", demo.web_client_secret));
        say("\n  Now, in another terminal: claimsmith demo");
    }
    say("");
}
