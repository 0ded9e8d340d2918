//! `claimsmith keys`: rotates the signing key, lists the published keys, re-encrypts secrets under a new encryption
//! key.

use crate::server::open_served_database;
use claimsmith_cli::terminal::{print_line, printable};
use claimsmith_config::Config;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::{Clock, iso8601};
use claimsmith_domain::key_status::KeyStatus;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::bootstrap;
use claimsmith_identity::rekey;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::Algorithm;
use claimsmith_services::tokens::keys;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::{self as storage, Db};
use serde_json::{Map, Value, json};

#[derive(clap::Subcommand)]
pub(super) enum KeysCommand {
    /// Publish the next signing key now; it signs once clients had time to fetch it (`tokens.key_publish_delay`).
    Rotate {
        /// The algorithm whose keys rotate; `tokens.signing_algorithm`, which signs access tokens, when not given.
        #[arg(long, value_name = "ALGORITHM", value_parser = parse_algorithm)]
        algorithm: Option<Algorithm>,
    },
    /// List the published signing keys, newest first.
    List,
    /// Encrypt every stored secret again under the current encryption key, and say how long the previous keys must stay.
    Rekey,
}

pub(super) async fn run(mut config: Config, command: KeysCommand) -> anyhow::Result<()> {
    let db = open_served_database(&mut config).await?;
    let config = &config;
    let now = Clock::system().now_ms();
    match command {
        KeysCommand::Rotate { algorithm } => rotate(config, &db, algorithm, now).await?,
        KeysCommand::List => list(&db, now).await?,
        KeysCommand::Rekey => rekey(config, &db, now).await?,
    }
    db.close().await;
    Ok(())
}

fn parse_algorithm(name: &str) -> Result<Algorithm, String> {
    Algorithm::parse(name)
        .ok_or_else(|| format!("expected one of {}", Algorithm::ALL.map(Algorithm::as_str).join(", ")))
}

async fn rotate(config: &Config, db: &Db, algorithm: Option<Algorithm>, now: i64) -> anyhow::Result<()> {
    let cipher = bootstrap::cipher(config)?;
    let delay = i64::try_from(config.tokens.key_publish_delay.as_millis())?;
    let lifetime = i64::try_from(config.tokens.access_token_ttl.as_millis())?;
    let algorithm = algorithm.unwrap_or_else(|| bootstrap::algorithm(config));
    let key = keys::make(algorithm, &cipher, now, now + delay)?;
    let mut tx = by_operator(db, now).await?;
    let key = keys::rotate(&mut tx, key, lifetime).await?;
    tx.audit(AuditKey::KeysRotate, json!({ "kid": key.kid, "activatesAt": key.activates_at })).await?;
    tx.commit().await?;
    print_line(&format!(
        "Key {} ({}) is published; it signs in {} s.",
        key.kid,
        key.algorithm.as_str(),
        (key.activates_at - now) / 1000
    ));
    Ok(())
}

async fn list(db: &Db, now: i64) -> anyhow::Result<()> {
    let mut tx = db.read().await?;
    for (key, status) in keys::published(&mut tx, now).await? {
        let state = match status {
            KeyStatus::Next => "next",
            KeyStatus::Current => "current",
            KeyStatus::Previous => "previous",
        };
        print_line(&format!("{state:<9} {} {}", key.algorithm.as_str(), key.kid));
    }
    Ok(())
}

async fn rekey(config: &Config, db: &Db, now: i64) -> anyhow::Result<()> {
    let cipher = bootstrap::cipher(config)?;
    let rekeyed = rekey::rekey(db, &cipher, now).await?;
    let counts: Map<String, Value> = rekeyed.counts.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
    let mut tx = by_operator(db, now).await?;
    tx.audit(AuditKey::KeysRekey, json!({ "counts": counts, "unreadable": rekeyed.unreadable.len() })).await?;
    tx.commit().await?;
    print_line(&format!("{} secrets were encrypted again, under the current encryption key.", rekeyed.count()));
    for (what, waiting) in &rekeyed.waiting {
        let until = iso8601(waiting.until.unwrap_or(now));
        print_line(&format!("{} {what} need a previous key until {until}.", waiting.count));
    }
    if config.encryption.previous_keys.is_empty() {
        print_line("There are no previous keys.");
    } else {
        let hours = rekey::longest_outside_ms() / 3_600_000;
        print_line(&format!(
            "Keep the previous keys until then, and for {hours} hours after the last node has started with the current one."
        ));
    }
    for line in &rekeyed.unreadable {
        print_line(&printable(line));
    }
    anyhow::ensure!(
        rekeyed.unfinished.is_empty(),
        "a node keeps writing under another key: start every node with the current key first, then run this again ({})",
        rekeyed.unfinished.join(", ")
    );
    anyhow::ensure!(rekeyed.unreadable.is_empty(), "{} secrets cannot be decrypted", rekeyed.unreadable.len());
    Ok(())
}

/// Begins a unit of work whose actor is the operator at the terminal.
pub(super) async fn by_operator(db: &Db, now: i64) -> storage::Result<UnitOfWork> {
    UnitOfWork::begin(db, Actor::Operator, RequestOrigin::default(), now).await
}
