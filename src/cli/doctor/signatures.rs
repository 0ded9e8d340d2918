//! Plugins that no trusted key signed: what is refused at the next load, and what would be if signatures were required;
//! and trusted keys that expire soon.

use super::report::{Finding, Status};
use crate::server::plugin_trust;
use claimsmith_config::Config;
use claimsmith_domain::clock::{Clock, iso8601};
use claimsmith_domain::plugin_signature::{TrustMode, TrustedKey};
use claimsmith_runtime::{PluginFiles, read_file};
use claimsmith_services::plugins::Origin;
use claimsmith_services::plugins::trust::{GivenSignature, PluginTrust};
use claimsmith_storage::{Db, plugins};
use std::io;

const CHECK: &str = "signatures";
/// How long before its expiry a key is reported, in milliseconds.
const NOTICE_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// A plugin that no trusted key is known to have signed.
struct Unsigned {
    origin: Origin,
    name: String,
    problem: String,
}

/// Checks the plugins that serve; `None` if the configuration says nothing of signatures.
pub(super) async fn check(config: &Config, db: &Db) -> anyhow::Result<Option<Finding>> {
    let trust = plugin_trust(config, Clock::system());
    let is_required = |origin| trust.mode(origin) == TrustMode::Require;
    let is_off = |origin| trust.mode(origin) == TrustMode::Off;
    let keys = &config.plugins.trust.keys;
    if keys.is_empty() && is_off(Origin::Folder) && is_off(Origin::Store) {
        return Ok(None);
    }
    let mut unsigned = of_folder(config, &trust)?;
    unsigned.extend(of_store(db, &trust).await?);
    let expiring: Vec<String> = keys.iter().filter_map(|key| expiry(key, Clock::system().now_ms())).collect();
    let refused = unsigned.iter().filter(|one| is_required(one.origin)).count();
    let (status, message) = match (refused, unsigned.len()) {
        (0, 0) if expiring.is_empty() => (Status::Ok, "A trusted key signed every plugin.".to_owned()),
        (0, 0) => (Status::Warning, "A trusted key signed every plugin; keys expire.".to_owned()),
        (0, count) => {
            let message = format!("No trusted key signed {count} plugins; mode = \"require\" would refuse them.");
            (Status::Warning, message)
        }
        (refused, _) => (Status::Fault, format!("{refused} plugins are refused: no trusted key signed them.")),
    };
    let line = |one: &Unsigned| {
        let place = if one.origin == Origin::Folder { "file" } else { "upload" };
        let refused = if is_required(one.origin) { "; it is refused" } else { "" };
        format!("{place} {}: {}{refused}", one.name, one.problem)
    };
    let details = unsigned.iter().map(line).chain(expiring).collect();
    Ok(Some(Finding::new(CHECK, status, message).with(details)))
}

fn of_folder(config: &Config, trust: &PluginTrust) -> anyhow::Result<Vec<Unsigned>> {
    let plugins = match PluginFiles::scan(&config.plugins.dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        result => result?,
    };
    let mut found = Vec::new();
    for files in plugins {
        // What does not serve for another reason is not reported here.
        let Ok((path, _)) = files.source() else { continue };
        if !files.manifest().is_ok_and(|manifest| manifest.enabled) {
            continue;
        }
        let Ok(source) = read_file(path, config.plugins.max_source) else { continue };
        if let Err(distrust) = trust.signer(&source, &GivenSignature::beside(path)) {
            let (name, problem) = (files.name().to_owned(), distrust.to_string());
            found.push(Unsigned { origin: Origin::Folder, name, problem });
        }
    }
    Ok(found)
}

async fn of_store(db: &Db, trust: &PluginTrust) -> anyhow::Result<Vec<Unsigned>> {
    let mut tx = db.read().await?;
    let mut found = Vec::new();
    for plugin in plugins::all(&mut tx).await? {
        let Some(version) = plugin.active_version else { continue };
        let Some(source) = plugins::versions::source(&mut tx, &plugin.name, version).await? else { continue };
        let signature = plugins::versions::signature(&mut tx, &plugin.name, version).await?;
        if let Err(distrust) = trust.signer(&source, &GivenSignature::of(signature.as_deref())) {
            let (name, problem) = (format!("{} version {version}", plugin.name), distrust.to_string());
            found.push(Unsigned { origin: Origin::Store, name, problem });
        }
    }
    Ok(found)
}

/// What is said of a key that has expired or expires soon.
fn expiry(key: &TrustedKey, now: i64) -> Option<String> {
    let expires = key.expires().filter(|expires| *expires <= now.saturating_add(NOTICE_MS))?;
    let verb = if key.has_expired(now) { "expired" } else { "expires" };
    Some(format!("key {}: {verb} at {}", key.name(), iso8601(expires)))
}
