//! `claimsmith admin`: administration directly on the database, for the operator of the machine.

use crate::bootstrap;
use crate::clock::Clock;
use crate::config::Config;
use crate::server::open_database;
use crate::storage;
use anyhow::Context;
use claimsmith_cli::terminal::print_line;

#[derive(clap::Subcommand)]
pub(super) enum AdminCommand {
    /// Restore access to the Management API.
    Recover {
        /// Create or repair the Management API's first application and its role; a new secret is written to
        /// bootstrap.json of the data folder.
        #[arg(long, required = true)]
        bootstrap: bool,
    },
}

pub(super) async fn run(config: &Config, command: AdminCommand) -> anyhow::Result<()> {
    let AdminCommand::Recover { .. } = command;
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    let recovered = bootstrap::recover(&db, config, Clock::system().now_ms()).await?;
    db.close().await;
    print_line(&format!(
        "Application {} has all rights on the Management API. Its new secret is in {}.",
        recovered.client_id,
        recovered.report.display()
    ));
    Ok(())
}
