//! The calls of plugins within the last hour on all nodes: what the nodes have written, and what this one has counted
//! since. Those of the active version are shown, so that a rollback or a corrected source is not blamed for the version
//! before it.

use claimsmith_domain::documents::plugin::LastHour;
use claimsmith_identity::heartbeat::plugin_calls_row;
use claimsmith_services::app::App;
use claimsmith_storage::statistics::plugin_calls::{self, PluginCalls};
use claimsmith_storage::{self as storage, Tx};
use std::collections::BTreeMap;

/// An hour in milliseconds.
const HOUR_MS: i64 = 3_600_000;

/// The calls of all plugins, by name and by the digest of the version.
pub(crate) struct RecentPluginCalls(BTreeMap<(String, String), PluginCalls>);

impl RecentPluginCalls {
    /// Reads them.
    pub(crate) async fn load(tx: &mut Tx, app: &App, now: i64) -> storage::Result<Self> {
        // Read before the database: calls that are written in between count twice rather than not at all.
        let here = app.plugins.recent_calls();
        let mut all = BTreeMap::new();
        for calls in plugin_calls::since(tx, now - HOUR_MS).await? {
            all.insert((calls.plugin.clone(), calls.digest.clone()), calls);
        }
        for (name, calls) in here {
            let more = plugin_calls_row(&name, &calls);
            let sum = all.entry((more.plugin.clone(), more.digest.clone())).or_default();
            let is_newer = more.last_outcome.is_some();
            *sum = PluginCalls {
                plugin: more.plugin,
                digest: more.digest,
                calls: sum.calls.saturating_add(more.calls),
                denied: sum.denied.saturating_add(more.denied),
                failed: sum.failed.saturating_add(more.failed),
                last_outcome: if is_newer { more.last_outcome } else { sum.last_outcome.take() },
                last_error: if is_newer { more.last_error } else { sum.last_error.take() },
                last_request_id: if is_newer { more.last_request_id } else { sum.last_request_id.take() },
            };
        }
        Ok(Self(all))
    }

    /// Those of the version of a plugin with this digest; without one, those while none had loaded.
    pub(crate) fn of(&self, plugin: &str, digest: Option<&str>) -> LastHour {
        let found = self.0.get(&(plugin.to_owned(), digest.unwrap_or_default().to_owned()));
        let Some(found) = found else { return LastHour::default() };
        let number = |number: i64| u64::try_from(number).unwrap_or_default();
        let (calls, denied, failed) = (number(found.calls), number(found.denied), number(found.failed));
        LastHour {
            calls,
            denied,
            failed,
            is_failing: LastHour::is_trouble(calls, denied.saturating_add(failed)),
            last_outcome: found.last_outcome.clone(),
            last_error: found.last_error.clone(),
            last_request_id: found.last_request_id.clone(),
        }
    }
}
