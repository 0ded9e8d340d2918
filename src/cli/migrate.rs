//! `claimsmith migrate`: runs the schema migrations without starting a server.

use crate::config::Config;
use crate::server::open_database;
use crate::storage;
use anyhow::Context;
use claimsmith_cli::terminal::print_line;

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    db.close().await;
    print_line("The schema is up to date.");
    Ok(())
}
