//! `claimsmith serve`: starts the server, waits for a signal, and shuts down gracefully.

use crate::server::Server;
use claimsmith_cli::terminal::print_line;
use claimsmith_config::Config;
use claimsmith_config::telemetry;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::Random;
use claimsmith_identity::bootstrap::{self, BootstrapReport, console_link, demo};
use claimsmith_services::plugins::Plugins;
use claimsmith_services::supervisor::Tasks;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The time after the start before the engine of test calls is prepared: first, requests and plugins are served.
const BEFORE_WARM_UP: Duration = Duration::from_secs(10);

/// Runs a server until a shutdown signal.
pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    telemetry::start_logging(&config.log)?;
    let metrics = telemetry::start_metrics()?;
    let tasks = Tasks::default();
    tasks.stop_on_signals()?;
    let server = Server::start(config, (Clock::system(), Random::system()), &tasks, Some(metrics)).await?;
    if let Some(report) = &server.report {
        show(report);
    }
    let app = &server.app;
    if let Some(link) = console_link::setup_link(&app.db, &app.config, app.clock.now_ms()).await? {
        print_line("Nobody administers this server yet. Make the first administrator, within an hour:");
        print_line(&format!("\n  Open {link}\n"));
    }
    if bootstrap::has_demo(&mut server.app.db.read().await?).await? {
        let base_url = &server.app.config.server.base_url;
        print_line(&format!("Demo application: {base_url}/demo"));
        if let Some(code) = server.app.mailbox_key.code() {
            print_line(&format!("Messages to people, for you alone: {base_url}/demo/mailbox?code={code}"));
        }
    }
    print_line(&format!(
        "Claimsmith listens on http://{}; base URL {}",
        server.listen, server.app.config.server.base_url
    ));
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

/// Prepares the engine of test calls, once the server has started, so that the first one of an operator does not wait.
async fn warm_trials(plugins: Plugins, stopping: CancellationToken) {
    let warmed = async {
        tokio::time::sleep(BEFORE_WARM_UP).await;
        plugins.warm_trials().await
    };
    if let Some(Err(error)) = stopping.run_until_cancelled(warmed).await {
        tracing::debug!(%error, "the engine of test calls could not be prepared; the first one will");
    }
}

/// Prints once what was created at this start.
fn show(report: &BootstrapReport) {
    print_line(
        "This is a new database. These secrets are shown once; they are also in bootstrap.json of the data folder.",
    );
    if let Some(management) = &report.management_api {
        print_line("\n  Management API (machine-to-machine)");
        print_line(&format!("    resource       {}", management.resource));
        print_line(&format!("    client id      {}", management.client_id));
        print_line(&format!("    client secret  {}", management.client_secret));
    }
    if let Some(demo) = &report.demo {
        print_line("\n  Demo data");
        print_line(&format!("    API            {} ({})", demo.resource, demo.scopes.join(", ")));
        let people = [
            ("customer", &demo.customer_user_id, demo::CUSTOMER, &demo.customer_password),
            ("engineer", &demo.engineer_user_id, demo::ENGINEER, &demo.engineer_password),
        ];
        for (role, id, username, password) in people {
            let password = password.as_deref().unwrap_or("(none)");
            print_line(&format!("    {role:<14} {id}, user name {username}, password {password}"));
        }
        print_line(&format!("    SPA            {}", demo.spa_client_id));
        print_line(&format!("    web            {}", demo.web_client_id));
        print_line(&format!("    web secret     {}", demo.web_client_secret));
        print_line("\n  Now, in another terminal: claimsmith demo");
    }
    print_line("");
}
