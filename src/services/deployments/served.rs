//! Which uploaded plugins this node serves, each in which revision: written to the database after each change that it has
//! loaded, so that `plugin deploy --wait` can wait for all nodes.

use super::reading::LastRead;
use crate::plugins::{Origin, PluginStatus, Plugins, State};
use claimsmith_domain::clock::Clock;
use claimsmith_storage::{self as storage, Db, plugins};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The timeout of a write. A change that was loaded is active with or without it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// What this node wrote last.
pub(super) struct Served {
    node: String,
    clock: Clock,
    written: Mutex<BTreeMap<String, i64>>,
}

impl Served {
    pub(super) fn new((node, clock): (String, Clock)) -> Self {
        Self { node, clock, written: Mutex::default() }
    }

    /// Writes what has changed since the last time. What cannot be written is written the next time.
    pub(super) async fn tell(&self, db: &Db, plugins: &Plugins, read: &LastRead) {
        let now = served(&plugins.list(), read);
        let mut written = self.written.lock().await;
        // A deleted plugin no longer has rows.
        written.retain(|name, _| now.contains_key(name));
        let changed: Vec<(String, i64)> =
            now.into_iter().filter(|(name, revision)| written.get(name) != Some(revision)).collect();
        if changed.is_empty() {
            return;
        }
        let write = async {
            let mut tx = db.begin().await?;
            plugins::nodes::record(&mut tx, &self.node, &changed, self.clock.now_ms()).await?;
            tx.commit().await
        };
        match timeout(WRITE_TIMEOUT, write).await.unwrap_or_else(|_| Err(storage::Error::timed_out())) {
            Ok(()) => written.extend(changed),
            Err(error) => tracing::debug!(%error, "which plugins this node serves could not be written; trying again"),
        }
    }
}

/// The delivered plugins whose newest revision is in service, or is disabled here as it says.
fn served(statuses: &[PluginStatus], read: &LastRead) -> BTreeMap<String, i64> {
    let serves = |status: &&PluginStatus| {
        status.source == Origin::Store
            && status.last_error.is_none()
            && matches!(status.state, State::Active | State::Disabled)
    };
    let serving: BTreeSet<&str> = statuses.iter().filter(serves).map(|status| &*status.name).collect();
    let delivered = read.delivered().filter(|(name, _)| serving.contains(name));
    delivered.map(|(name, revision)| (name.to_owned(), revision)).collect()
}
