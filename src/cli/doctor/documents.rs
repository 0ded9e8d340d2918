//! Stored JSON documents that cannot be read, and the repair of their rows; and the applications whose client assertions
//! may name an endpoint as the audience, which is less safe than the issuer alone.

use super::report::{Finding, Status};
use crate::cli::keys::by_operator;
use claimsmith_config::Config;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_storage::doctor::{self, UnreadableDocument};
use claimsmith_storage::{Db, Slice, applications};
use serde_json::json;
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

const CHECK: &str = "documents";

/// Finds what cannot be read, and empties it with `is_repair`.
pub(super) async fn check(config: &Config, db: &Db, is_repair: bool) -> anyhow::Result<Finding> {
    let unreadable = doctor::examine(&mut db.read().await?).await?;
    let count = unreadable.len();
    if unreadable.is_empty() {
        return Ok(Finding::new(CHECK, Status::Ok, "Every stored document can be read."));
    }
    let finding = if is_repair {
        let kept = repair(config, db, &unreadable).await?;
        let message = format!("{count} documents could not be read. Their old contents are in {}.", kept.display());
        Finding::new(CHECK, Status::Ok, message)
    } else {
        let message = format!("{count} documents cannot be read; `claimsmith doctor --repair` empties them.");
        Finding::new(CHECK, Status::Fault, message)
    };
    let line =
        |UnreadableDocument { table, id, column, why }: &UnreadableDocument| format!("{table} {id} {column}: {why}");
    Ok(finding.with(unreadable.iter().map(line).collect()))
}

/// Lists the applications that the operator should move to the issuer as the only audience
/// (`docs/decisions/client-authentication.md`). They still work, so this is no failure.
pub(super) async fn check_audiences(db: &Db) -> anyhow::Result<Finding> {
    let assertion_audience = Some(ClientAssertionAudience::Legacy);
    let wanted = applications::Filter { assertion_audience, ..applications::Filter::default() };
    let found = applications::list(&mut db.read().await?, &wanted, Slice::ALL).await?;
    let message = match found.len() {
        0 => "Client assertions name the issuer alone.".to_owned(),
        count => format!("{count} applications accept the legacy audience; they should send the issuer."),
    };
    let line = |one: &applications::Application| {
        format!("application {} ({}): accepts the legacy audience of client assertions", one.id, one.name)
    };
    Ok(Finding::new("assertions", Status::Ok, message).with(found.iter().map(line).collect()))
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
