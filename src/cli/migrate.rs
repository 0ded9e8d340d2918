//! `claimsmith migrate`: runs the schema migrations without starting a server.

use crate::server::open_database;
use anyhow::Context;
use claimsmith_cli::terminal::print_line;
use claimsmith_config::Config;
use claimsmith_storage as storage;

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    db.close().await;
    print_line("The schema is up to date.");
    Ok(())
}
