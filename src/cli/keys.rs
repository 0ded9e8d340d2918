//! `claimsmith keys`: rotate the signing key, list the published ones, encrypt secrets under a new encryption key.

use crate::bootstrap;
use crate::clock::Clock;
use crate::config::Config;
use crate::deployments;
use crate::mfa;
use crate::random;
use crate::server::open_database;
use crate::storage::audit::{self, Log};
use crate::storage::{self, Db, Json};
use crate::tokens::keys::{self, KeyStatus};
use crate::webhooks::signing_key;
use anyhow::Context;
use claimsmith_cli::terminal::say;
use serde_json::{Value, json};

#[derive(clap::Subcommand)]
pub(super) enum KeysCommand {
    /// Publish the next signing key now; it signs once clients had time to fetch it (`tokens.key_publish_delay`).
    Rotate,
    /// List the published signing keys, the one that signs last first.
    List,
    /// Seal every stored secret anew under the current encryption key; afterwards previous keys can be dropped.
    Rekey,
}

pub(super) async fn run(config: &Config, command: KeysCommand) -> anyhow::Result<()> {
    let db = open_database(config).await?;
    storage::migrate(&db).await.context("migration")?;
    let now = Clock::system().now_ms();
    match command {
        KeysCommand::Rotate => rotate(config, &db, now).await?,
        KeysCommand::List => list(&db, now).await?,
        KeysCommand::Rekey => {
            let cipher = bootstrap::cipher(config)?;
            let signing = keys::rekey(&db, &cipher, now).await?;
            let mut tx = db.begin().await?;
            let plugins = deployments::change::rekey(&mut tx, &cipher).await?;
            let hooks = signing_key::rekey(&mut tx, &cipher).await?;
            let factors = mfa::rekey(&mut tx, &cipher).await?;
            tx.commit().await?;
            let details =
                json!({ "signingKeys": signing, "pluginSecrets": plugins, "hooks": hooks, "mfaFactors": factors });
            record(&db, "Keys.Rekey", details, now).await?;
            let count = signing + plugins + hooks + factors;
            say(&format!("{count} secrets are encrypted under the current encryption key."));
        }
    }
    db.close().await;
    Ok(())
}

async fn rotate(config: &Config, db: &Db, now: i64) -> anyhow::Result<()> {
    let cipher = bootstrap::cipher(config)?;
    let delay = i64::try_from(config.tokens.key_publish_delay.as_millis())?;
    let lifetime = i64::try_from(config.tokens.access_token_ttl.as_millis())?;
    let key = keys::make(bootstrap::algorithm(config), &cipher, now, now + delay)?;
    let mut tx = db.begin().await?;
    keys::rotate(&mut tx, &key, lifetime).await?;
    tx.commit().await?;
    record(db, "Keys.Rotate", json!({ "kid": key.kid, "activatesAt": key.activates_at }), now).await?;
    say(&format!("Key {} ({}) is published; it signs in {} s.", key.kid, key.algorithm, delay / 1000));
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
        say(&format!("{state:<9} {} {}", key.algorithm, key.kid));
    }
    Ok(())
}

/// Writes down what an operator did at the terminal.
pub(super) async fn record(db: &Db, key: &str, details: Value, now: i64) -> anyhow::Result<()> {
    let mut payload = json!({ "key": key, "result": "Success", "by": "operator" });
    if let (Some(payload), Value::Object(details)) = (payload.as_object_mut(), details) {
        payload.extend(details);
    }
    let mut tx = db.begin().await?;
    let log = Log { id: random::id(21)?, key: key.to_owned(), payload: Json(payload), created_at: now };
    audit::append(&mut tx, &[log]).await?;
    tx.commit().await?;
    Ok(())
}
