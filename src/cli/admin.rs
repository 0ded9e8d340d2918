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
    /// Restore access to the console, for a user, or to the Management API.
    Recover {
        /// Make this user an administrator of the console, whatever the settings of sign-in say, and sign them out
        /// everywhere: their id, user name or email address.
        #[arg(required_unless_present = "bootstrap", conflicts_with = "bootstrap")]
        user: Option<String>,
        /// Create or repair the Management API's first application and its role; a new secret is written to
        /// bootstrap.json of the data folder.
        #[arg(long)]
        bootstrap: bool,
    },
}

pub(super) async fn run(config: &Config, command: AdminCommand) -> anyhow::Result<()> {
    let AdminCommand::Recover { user, .. } = command;
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    if let Some(user) = user {
        let recovered = bootstrap::recover_administrator(&db, config, &user, Clock::system().now_ms()).await?;
        db.close().await;
        print_line(&format!("User {} administers the console, and is signed out everywhere.", recovered.user_id));
        return Ok(());
    }
    let recovered = bootstrap::recover(&db, config, Clock::system().now_ms()).await?;
    db.close().await;
    print_line(&format!(
        "Application {} has all rights on the Management API. Its new secret is in {}.",
        recovered.client_id,
        recovered.report.display()
    ));
    Ok(())
}
