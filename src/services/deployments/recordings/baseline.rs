//! The active version of a plugin over redacted inputs: what a replay of a recording is compared with. It is a test call,
//! which no statistics count, on threads that those of tokens outrank; other servers answer as they did in the recorded
//! call, and secrets are placeholders.

use crate::deployments::{change, effective, language};
use crate::plugins::recordings::{RedactedAnswer, ReplayedServers, body_value};
use crate::plugins::{LoadedTrial, Origin, Plugins, TrialError, TrialOutcome};
use claimsmith_harness::Input;
use claimsmith_runtime::{Host, HttpSender, Manifest, Secrets, Source};
use claimsmith_storage::{self as storage, Db, plugins};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// The active versions, as they were last read.
#[derive(Default)]
pub(super) struct Baselines {
    known: HashMap<String, Known>,
    /// There while something is recorded.
    host: Option<Host>,
}

/// The active version of one generation; `None` if it cannot be called.
struct Known {
    generation: Option<u64>,
    version: Option<LoadedTrial>,
}

struct ActiveSource {
    source: Source,
    manifest: Manifest,
    secrets: Secrets,
}

impl Baselines {
    /// Whether it holds nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.host.is_none()
    }

    /// Forgets the versions of all other plugins.
    pub(super) fn keep_only(&mut self, is_recorded: impl Fn(&str) -> bool) {
        self.known.retain(|plugin, _| is_recorded(plugin));
        if self.known.is_empty() {
            self.host = None;
        }
    }

    /// What the active version answers; `None` if there is none, or it cannot be called.
    pub(super) async fn answer(
        &mut self,
        (db, plugins): (&Db, &Plugins),
        plugin: &str,
        input: &Value,
        servers: &Arc<ReplayedServers>,
    ) -> Option<RedactedAnswer> {
        let status = plugins.find(plugin)?;
        if self.known.get(plugin).is_none_or(|known| known.generation != status.generation) {
            let version = match status.source {
                Origin::Folder => of_folder(plugins, plugin).await,
                Origin::Store => of_store(db, plugin).await.ok().flatten(),
            };
            // The file may be newer than what serves.
            let version = version.filter(|version| Some(version.source.digest()) == status.digest.as_deref());
            let version = match version {
                Some(version) => self.load(plugins, version).await.inspect_err(|error| not_called(plugin, error)).ok(),
                None => None,
            };
            self.known.insert(plugin.to_owned(), Known { generation: status.generation, version });
        }
        let known = self.known.get_mut(plugin)?;
        let case: Input = serde_json::from_value(input.clone()).ok()?;
        let sender: Arc<dyn HttpSender> = Arc::<ReplayedServers>::clone(servers);
        match known.version.as_ref()?.call(&case, &sender).await {
            Ok(outcome) => Some(answer_of(outcome, input)),
            Err(error) => {
                not_called(plugin, &error.into());
                // Not again until something changes.
                known.version = None;
                None
            }
        }
    }

    /// Once for all calls: to load a plugin costs many times what a call costs.
    async fn load(&mut self, plugins: &Plugins, version: ActiveSource) -> Result<LoadedTrial, TrialError> {
        let ActiveSource { source, manifest, secrets } = version;
        let host = match self.host.take() {
            Some(host) => host,
            None => plugins.background_trials().await?,
        };
        let loaded = plugins.load_trial(&host, &source, (manifest, secrets)).await;
        self.host = Some(host);
        loaded
    }
}

fn not_called(plugin: &str, error: &TrialError) {
    tracing::warn!(plugin, %error, "the plugin cannot be called over recorded inputs");
}

async fn of_folder(plugins: &Plugins, name: &str) -> Option<ActiveSource> {
    let (source, manifest, _) = plugins.read_from_folder(name, false).await.ok()??;
    let secrets = Secrets::placeholders(manifest.secrets.keys());
    Some(ActiveSource { source, manifest, secrets })
}

async fn of_store(db: &Db, name: &str) -> storage::Result<Option<ActiveSource>> {
    let mut tx = db.read().await?;
    let Some(plugin) = plugins::find(&mut tx, name).await? else { return Ok(None) };
    let Some(active) = plugin.active_version else { return Ok(None) };
    let Some(version) = plugins::versions::find(&mut tx, name, active).await? else { return Ok(None) };
    let Some(bytes) = plugins::versions::source(&mut tx, name, active).await? else { return Ok(None) };
    let names = plugins::secrets::list(&mut tx, name).await?.into_iter().map(|secret| secret.name);
    let secrets = Secrets::placeholders(names);
    let read = || {
        let mut manifest = change::settings(&plugin).ok()?;
        manifest.capabilities.http = effective(version.http, plugin.http_grant).ok()?;
        let source = Source::new(name, language(&version.language)?, bytes);
        Some(ActiveSource { source, manifest, secrets })
    };
    Ok(read())
}

/// The outcome of a test call in the form of a recorded answer.
fn answer_of(outcome: TrialOutcome, input: &Value) -> RedactedAnswer {
    let TrialOutcome { outcome, claims, message, body, headers, path, drop_reason, instructions, .. } = outcome;
    let is_delivery = input.get("event").is_some();
    let answer = if outcome != "ok" {
        None
    } else if let Some(reason) = drop_reason {
        Some(json!({ "drop": reason }))
    } else if is_delivery {
        let headers: Map<String, Value> =
            headers.into_iter().flatten().map(|(name, value)| (name, value.into())).collect();
        Some(json!({ "body": body_value(body.unwrap_or_default()), "headers": headers, "path": path }))
    } else {
        claims.map(Value::Object)
    };
    RedactedAnswer { outcome, answer, message, instructions }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::plugins::PluginsOptions;

    #[tokio::test]
    async fn what_was_loaded_for_recordings_is_given_back_after_them() {
        let folder = tempfile::tempdir().unwrap();
        let plugins = Plugins::start(PluginsOptions::new(folder.path().join("plugins")), Vec::new()).await.unwrap();
        let known = || Known { generation: None, version: None };
        let mut baselines = Baselines {
            known: HashMap::from([("plan".to_owned(), known()), ("team".to_owned(), known())]),
            host: Some(plugins.background_trials().await.unwrap()),
        };
        baselines.keep_only(|plugin| plugin == "plan");
        assert!(baselines.known.len() == 1 && baselines.host.is_some(), "one is still recorded");
        baselines.keep_only(|_| false);
        assert!(baselines.is_empty());
    }
}
