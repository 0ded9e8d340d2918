//! The results of a rollout, from what all nodes counted.

use super::super::statistics::percentile;
use super::{NOT_LOADED, NOT_TRUSTED};
use claimsmith_domain::documents::rollout::DifferenceClass;
use std::collections::BTreeMap;

/// What was counted of a rollout on all nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RolloutResults {
    /// Calls of the active version.
    pub active: SideResults,
    /// Calls of the version in the rollout.
    pub candidate: SideResults,
    /// Calls of the active version beside those of a shadow: what its durations are compared with, since shadows run with
    /// a low priority.
    pub baseline: SideResults,
    /// Compared answers of a shadow, by class.
    pub classes: BTreeMap<DifferenceClass, u64>,
    /// The claims that differ, by name.
    pub claims: BTreeMap<String, ClaimResults>,
    /// Runs of a shadow that took longer than the active version beside it.
    pub slower: u64,
    /// Calls that had no room in the queue of shadows.
    pub dropped: u64,
    /// Requests of a shadow that the active version had not sent.
    pub http_refused: u64,
    /// How often a node could not load the version.
    pub load_failed: u64,
    /// How often a node did not load it, since no trusted key signed it.
    pub not_trusted: u64,
}

/// Calls of one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideResults {
    /// All.
    pub runs: u64,
    /// Those that denied.
    pub denied: u64,
    /// Those that failed.
    pub failed: u64,
    /// Calls that were not made, since the breaker of the version was open. They are not among the runs.
    pub spared: u64,
    /// The median of their durations, in microseconds.
    pub p50_us: Option<u64>,
    /// The 99th percentile, in microseconds.
    pub p99_us: Option<u64>,
}

/// How often a claim differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimResults {
    /// The active version does not set it.
    pub added: u64,
    /// The version in the rollout does not set it.
    pub removed: u64,
    /// It has another value.
    pub changed: u64,
    /// It also differs between two calls of the active version.
    pub noise: u64,
}

impl RolloutResults {
    /// The results of these counts.
    #[must_use]
    pub fn of<'c>(counts: impl IntoIterator<Item = (&'c str, i64)>) -> Self {
        let mut results = Self::default();
        let mut durations: BTreeMap<&str, BTreeMap<usize, u64>> = BTreeMap::new();
        for (name, value) in counts {
            let value = u64::try_from(value).unwrap_or_default();
            let (family, rest) = name.split_once('.').unwrap_or((name, ""));
            match family {
                "active" | "candidate" | "baseline" => {
                    if let Some(bucket) = rest.strip_prefix("us.").and_then(|bucket| bucket.parse().ok()) {
                        *durations.entry(family).or_default().entry(bucket).or_default() += value;
                    } else {
                        results.side(family).set(rest, value);
                    }
                }
                "class" => {
                    let class = DifferenceClass::ALL.into_iter().find(|class| class.as_str() == rest);
                    results.classes.extend(class.map(|class| (class, value)));
                }
                "claim" => {
                    let Some((way, claim)) = rest.split_once('.') else { continue };
                    results.claims.entry(claim.to_owned()).or_default().set(way, value);
                }
                "slower" => results.slower = value,
                "dropped" => results.dropped = value,
                "httpRefused" => results.http_refused = value,
                NOT_LOADED => results.load_failed = value,
                NOT_TRUSTED => results.not_trusted = value,
                _ => {}
            }
        }
        for (family, durations) in durations {
            let side = results.side(family);
            side.p50_us = percentile(&durations, 50);
            side.p99_us = percentile(&durations, 99);
        }
        results
    }

    /// Compared answers.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.classes.values().sum()
    }

    /// Answers of a class.
    #[must_use]
    pub fn count(&self, class: DifferenceClass) -> u64 {
        self.classes.get(&class).copied().unwrap_or_default()
    }

    fn side(&mut self, name: &str) -> &mut SideResults {
        match name {
            "active" => &mut self.active,
            "baseline" => &mut self.baseline,
            _ => &mut self.candidate,
        }
    }
}

impl SideResults {
    fn set(&mut self, name: &str, value: u64) {
        match name {
            "runs" => self.runs = value,
            "denied" => self.denied = value,
            "failed" => self.failed = value,
            "spared" => self.spared = value,
            _ => {}
        }
    }
}

impl ClaimResults {
    fn set(&mut self, way: &str, value: u64) {
        match way {
            "added" => self.added = value,
            "removed" => self.removed = value,
            "changed" => self.changed = value,
            "noise" => self.noise = value,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::{Side, Tally};
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn counts_of_all_nodes_add_up_to_results() {
        let id: Arc<str> = "r1".into();
        let mut sums: BTreeMap<String, i64> = BTreeMap::new();
        for (node, milliseconds) in [(1, 10), (2, 100)] {
            let tally = Tally::default();
            for _ in 0..50 {
                tally.call(&id, Side::Candidate, "ok", Duration::from_millis(milliseconds));
            }
            tally.call(&id, Side::Active, if node == 1 { "denied" } else { "failed" }, Duration::from_millis(1));
            tally.count_more(&id, "dropped", 2);
            tally.spared(&id, Side::Candidate);
            for taken in tally.take(&[]) {
                for (name, value) in taken.counts {
                    *sums.entry(name).or_default() += value;
                }
            }
        }
        sums.insert("class.different".to_owned(), 3);
        sums.insert("claim.changed.plan.of.day".to_owned(), 3);
        let results = RolloutResults::of(sums.iter().map(|(name, value)| (name.as_str(), *value)));
        assert_eq!((results.candidate.runs, results.active.runs, results.dropped), (100, 2, 4));
        assert_eq!((results.active.denied, results.active.failed), (1, 1));
        assert_eq!((results.candidate.spared, results.candidate.failed, results.active.spared), (2, 0, 0));
        assert_eq!((results.compared(), results.count(DifferenceClass::Different)), (3, 3));
        assert_eq!(results.claims.get("plan.of.day").map(|claim| claim.changed), Some(3));
        let (p50, p99) = (results.candidate.p50_us.unwrap_or_default(), results.candidate.p99_us.unwrap_or_default());
        assert!(p50.abs_diff(10_000) < 1_500 && p99.abs_diff(100_000) < 15_000, "{p50} {p99}");
        assert_eq!(RolloutResults::of([]), RolloutResults::default());
    }
}
