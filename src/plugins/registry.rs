//! The plugins in service, swapped as a whole.

use super::{statistics::Counters, status::PluginStatus};
use arc_swap::ArcSwap;
use claimsmith_runtime::{HttpCapability, Language, Limits, Manifest, Plugin, Secrets};
use std::sync::Arc;

/// What is in service. Readers take a snapshot and keep it as long as they work.
#[derive(Default)]
pub(super) struct Registry(ArcSwap<Snapshot>);

/// All plugins at one time.
#[derive(Default)]
pub(super) struct Snapshot {
    /// Counts the swaps that changed what serves.
    pub(super) generation: u64,
    /// What serves or must refuse, in the order in which it runs.
    pub(super) entries: Vec<Arc<Entry>>,
    /// Everything that is known, in the same order.
    pub(super) statuses: Vec<PluginStatus>,
    /// The counters behind the statuses, one for one.
    pub(super) counters: Vec<Arc<Counters>>,
}

/// A plugin that takes part in issuances.
pub(super) struct Entry {
    pub(super) name: Arc<str>,
    pub(super) manifest: Manifest,
    /// None for a mandatory plugin that never loaded.
    pub(super) version: Option<Version>,
    pub(super) statistics: Arc<Counters>,
}

/// The version that serves, with what its settings gave.
pub(super) struct Version {
    pub(super) plugin: Arc<Plugin>,
    pub(super) language: Language,
    pub(super) size: usize,
    pub(super) digest: Arc<str>,
    pub(super) generation: u64,
    pub(super) limits: Limits,
    pub(super) variables: Arc<[(String, String)]>,
    pub(super) secrets: Secrets,
    /// What it may send: declared by the plugin and granted by its operator.
    pub(super) http: Option<Arc<HttpCapability>>,
}

impl Registry {
    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.0.load_full()
    }

    pub(super) fn swap(&self, snapshot: Snapshot) {
        self.0.store(Arc::new(snapshot));
    }
}
