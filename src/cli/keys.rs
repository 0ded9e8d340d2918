//! `claimsmith keys`: rotates the signing key, lists the published keys, re-encrypts secrets under a new encryption
//! key.

use crate::accounts::mfa;
use crate::audit::Actor;
use crate::bootstrap;
use crate::captcha;
use crate::clock::Clock;
use crate::config::Config;
use crate::connectors;
use crate::deployments;
use crate::domain::origin::RequestOrigin;
use crate::server::open_database;
use crate::storage::{self, Db};
use crate::tokens::keys::{self, KeyStatus};
use crate::tokens::{self, Algorithm};
use crate::unit_of_work::UnitOfWork;
use crate::webhooks::signing_key;
use anyhow::Context;
use claimsmith_cli::terminal::print_line;
use serde_json::json;

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
    /// Re-encrypt every stored secret under the current encryption key; afterwards previous keys can be dropped.
    Rekey,
}

pub(super) async fn run(config: &Config, command: KeysCommand) -> anyhow::Result<()> {
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
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
    tx.audit("Keys.Rotate", json!({ "kid": key.kid, "activatesAt": key.activates_at })).await?;
    tx.commit().await?;
    print_line(&format!(
        "Key {} ({}) is published; it signs in {} s.",
        key.kid,
        key.algorithm,
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
        print_line(&format!("{state:<9} {} {}", key.algorithm, key.kid));
    }
    Ok(())
}

async fn rekey(config: &Config, db: &Db, now: i64) -> anyhow::Result<()> {
    let cipher = bootstrap::cipher(config)?;
    let mut tx = by_operator(db, now).await?;
    let signing = keys::rekey(&mut tx, &cipher, now).await?;
    let plugins = deployments::change::rekey(&mut tx, &cipher).await?;
    let hooks = signing_key::rekey(&mut tx, &cipher).await?;
    let factors = mfa::rekey(&mut tx, &cipher).await?;
    let captcha = captcha::rekey(&mut tx, &cipher).await?;
    let connectors = connectors::rekey(&mut tx, &cipher).await?;
    let families = tokens::rekey_refresh_families(&mut tx, &cipher).await?;
    let details = json!({
        "signingKeys": signing, "pluginSecrets": plugins, "hooks": hooks, "mfaFactors": factors,
        "captchaProviders": captcha, "connectors": connectors, "refreshFamilies": families,
    });
    tx.audit("Keys.Rekey", details).await?;
    tx.commit().await?;
    let count = signing + plugins + hooks + factors + captcha + connectors + families;
    print_line(&format!("{count} secrets are encrypted under the current encryption key."));
    Ok(())
}

/// A change that an operator makes at the terminal.
pub(super) async fn by_operator(db: &Db, now: i64) -> storage::Result<UnitOfWork> {
    UnitOfWork::begin(db, Actor::Operator, RequestOrigin::default(), now).await
}
