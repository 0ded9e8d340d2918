//! What is counted of the plugins on this node, for those who write it.

use super::recent_calls::RecentCalls;
use super::statistics::Counters;
use super::{PluginStatus, Plugins, TakenRollout, VersionCalls, rollouts};
use crate::activity::Counts;
use std::sync::Arc;

impl Plugins {
    /// The calls of each plugin since the last time, for those that were called.
    #[must_use]
    pub fn take_activity(&self) -> Vec<(Arc<str>, Counts)> {
        let snapshot = self.0.registry.snapshot();
        let counted = snapshot.statuses.iter().zip(&snapshot.counters);
        counted.filter_map(|(status, counters)| Some((Arc::clone(&status.name), counters.recent.take()?))).collect()
    }

    /// Adds counts that were taken and could not be written.
    pub fn give_back_activity(&self, name: &str, counts: Counts) {
        let snapshot = self.0.registry.snapshot();
        let mut counted = snapshot.statuses.iter().zip(&snapshot.counters);
        if let Some((_, counters)) = counted.find(|(status, _)| *status.name == *name) {
            counters.recent.add(counts);
        }
    }

    /// The calls of each version of each plugin that were not taken yet.
    #[must_use]
    pub fn recent_calls(&self) -> Vec<(Arc<str>, VersionCalls)> {
        self.calls_by(RecentCalls::read)
    }

    /// The same, which are then counted from zero.
    #[must_use]
    pub fn take_calls(&self) -> Vec<(Arc<str>, VersionCalls)> {
        self.calls_by(RecentCalls::take)
    }

    fn calls_by(&self, read: fn(&RecentCalls) -> Vec<VersionCalls>) -> Vec<(Arc<str>, VersionCalls)> {
        let snapshot = self.0.registry.snapshot();
        let counted = snapshot.statuses.iter().zip(&snapshot.counters);
        let of_one = |(status, counters): (&PluginStatus, &Arc<Counters>)| {
            let name = Arc::clone(&status.name);
            read(&counters.calls_of_versions)
                .into_iter()
                .map(move |calls| (Arc::clone(&name), calls))
                .collect::<Vec<_>>()
        };
        counted.flat_map(of_one).collect()
    }

    /// Adds calls that were taken and could not be written.
    pub fn give_back_calls(&self, name: &str, calls: VersionCalls) {
        let snapshot = self.0.registry.snapshot();
        let mut counted = snapshot.statuses.iter().zip(&snapshot.counters);
        if let Some((_, counters)) = counted.find(|(status, _)| *status.name == *name) {
            counters.calls_of_versions.add(calls);
        }
    }

    /// Whether any version is in a rollout on this node.
    #[must_use]
    pub fn has_rollouts(&self) -> bool {
        !rollouts::live(&self.0.registry.snapshot()).is_empty()
    }

    /// What was counted of rollouts since the last time.
    #[must_use]
    pub fn take_rollouts(&self) -> Vec<TakenRollout> {
        self.0.rules.rollouts.tally().take(&rollouts::live(&self.0.registry.snapshot()))
    }

    /// Adds what was taken and could not be written.
    pub fn give_back_rollout(&self, taken: TakenRollout) {
        self.0.rules.rollouts.tally().give_back(taken);
    }
}
