//! Publishes the state of the plugins as the next snapshot of the registry.

use super::{
    metrics,
    plugin_state::PluginState,
    registry::{Registry, RegistrySnapshot, Stage},
};
use std::{collections::BTreeMap, sync::Arc};

/// One atomic swap for all changes that came together. The generation is `next`, unless the active plugins are the
/// same.
pub(super) fn publish(registry: &Registry, known: &BTreeMap<String, PluginState>, next: u64) {
    let mut known: Vec<_> = known.iter().collect();
    known.sort_by_key(|(name, known)| (known.standing.manifest().order, *name));
    let entries: Vec<_> = known.iter().filter_map(|(_, known)| known.standing.entry().cloned()).collect();
    let statuses = known.iter().map(|(name, known)| known.status(name)).collect();
    let old = registry.snapshot();
    let same = old.generation != 0
        && old.entries.len() == entries.len()
        && old.entries.iter().zip(&entries).all(|(old, new)| Arc::ptr_eq(old, new));
    let generation = if same { old.generation } else { next };
    metrics::active(entries.iter().filter(|entry| entry.version.is_some()).count());
    let counters = known.iter().map(|(_, known)| Arc::clone(&known.statistics)).collect();
    registry.swap(RegistrySnapshot { stage: Stage::of(&entries), generation, entries, statuses, counters });
}
