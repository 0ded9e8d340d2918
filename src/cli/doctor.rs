//! `claimsmith doctor`: finds stored JSON documents that cannot be read, and repairs their rows. It also lists the
//! applications whose client assertions may name an endpoint as the audience, which is less safe than the issuer alone.

use super::keys::by_operator;
use crate::server::open_database;
use anyhow::Context;
use claimsmith_cli::terminal::{print_line, printable};
use claimsmith_config::Config;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_storage::doctor::{self, UnreadableDocument};
use claimsmith_storage::{self as storage, Db, Slice, applications};
use serde_json::json;
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(super) struct DoctorArgs {
    /// Empty what cannot be read, and keep what was there in a file of the data folder.
    #[arg(long)]
    repair: bool,
}

pub(super) async fn run(config: &Config, args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    let unreadable = doctor::examine(&mut db.read().await?).await?;
    for UnreadableDocument { table, id, column, why } in &unreadable {
        print_line(&format!("{table} {} {column}: {}", printable(id), printable(why)));
    }
    list_legacy_audiences(&db).await?;
    let code = match unreadable.len() {
        0 => {
            print_line("Every stored document can be read.");
            ExitCode::SUCCESS
        }
        count if args.repair => {
            let kept = repair(config, &db, &unreadable).await?;
            print_line(&format!("{count} documents could not be read. Their old contents are in {}.", kept.display()));
            ExitCode::SUCCESS
        }
        count => {
            print_line(&format!("{count} documents cannot be read; `claimsmith doctor --repair` empties them."));
            ExitCode::FAILURE
        }
    };
    db.close().await;
    Ok(code)
}

/// Lists the applications that the operator should move to the issuer as the only audience
/// (`docs/decisions/client-authentication.md`). They still work, so this is not a failure.
async fn list_legacy_audiences(db: &Db) -> anyhow::Result<()> {
    let assertion_audience = Some(ClientAssertionAudience::Legacy);
    let wanted = applications::Filter { assertion_audience, ..applications::Filter::default() };
    for application in applications::list(&mut db.read().await?, &wanted, Slice::ALL).await? {
        let (id, name) = (printable(&application.id), printable(&application.name));
        print_line(&format!("application {id} ({name}): accepts the legacy audience of client assertions"));
    }
    Ok(())
}

/// Repairs all rows or none. The backup file is written completely before the change is committed.
async fn repair(config: &Config, db: &Db, unreadable: &[UnreadableDocument]) -> anyhow::Result<PathBuf> {
    let now = Clock::system().now_ms();
    DirBuilder::new().recursive(true).mode(0o700).create(&config.data_dir)?;
    let path = config.data_dir.join(format!("doctor-{now}.jsonl"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let file = file.as_mut().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    let mut tx = by_operator(db, now).await?;
    for found in unreadable {
        let Some(document) = doctor::repair(&mut tx, found).await? else { continue };
        let UnreadableDocument { table, id, column, why } = found;
        let document = String::from_utf8_lossy(&document);
        let line = json!({ "table": table, "id": id, "column": column, "why": why, "document": document });
        writeln!(file, "{line}")?;
    }
    file.sync_all()?;
    let rows: Vec<String> = unreadable.iter().take(100).map(|f| format!("{}/{}/{}", f.table, f.id, f.column)).collect();
    tx.audit(AuditKey::DoctorRepair, json!({ "documents": unreadable.len(), "rows": rows })).await?;
    tx.commit().await?;
    Ok(path)
}
