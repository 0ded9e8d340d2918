//! What this node counted of rollouts since it was last taken, and the samples that it kept.

use super::super::recordings::tells_nobody;
use super::super::statistics::bucket;
use super::compare::Comparison;
use claimsmith_domain::documents::rollout::DifferenceClass;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The most samples of a class.
pub const MAX_SAMPLES: usize = 20;
/// The most claims of a rollout that are counted by name; others count together.
const MAX_CLAIMS: usize = 100;
/// The most characters of such a name.
const MAX_NAME_CHARS: usize = 100;
/// The name under which further claims count.
const OTHER_CLAIMS: &str = "…";

/// Counts and samples of one rollout.
#[derive(Clone, Debug, Default)]
pub struct TakenRollout {
    /// The rollout.
    pub id: Arc<str>,
    /// How often, by what is counted.
    pub counts: BTreeMap<String, i64>,
    /// Calls whose answers differ.
    pub samples: Vec<DifferenceSample>,
}

/// A call whose answers differ, redacted.
#[derive(Clone, Debug)]
pub struct DifferenceSample {
    /// How they differ.
    pub class: DifferenceClass,
    /// Whom the call was about.
    pub user: Option<String>,
    /// The input and both answers.
    pub content: Value,
}

/// Which version a call was of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plugins) enum Side {
    /// The active one.
    Active,
    /// The one in the rollout.
    Candidate,
    /// The active one, called again beside a shadow.
    Baseline,
}

/// The counts of all rollouts.
#[derive(Debug, Default)]
pub(in crate::plugins) struct Tally(Mutex<BTreeMap<Arc<str>, Tallied>>);

#[derive(Debug, Default)]
struct Tallied {
    counts: BTreeMap<String, i64>,
    samples: Vec<DifferenceSample>,
    /// Samples of each class, also those that were taken.
    sampled: BTreeMap<DifferenceClass, usize>,
    /// Claims that are counted by name.
    claims: BTreeSet<String>,
    /// Claims that differ between two calls of the active version.
    noisy: BTreeSet<String>,
}

impl Side {
    pub(in crate::plugins) fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Candidate => "candidate",
            Self::Baseline => "baseline",
        }
    }
}

impl Tally {
    fn all(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, Tallied>> {
        // No code panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, rollout: &Arc<str>, change: impl FnOnce(&mut Tallied) -> T) -> T {
        let mut all = self.all();
        if let Some(tallied) = all.get_mut(rollout) {
            return change(tallied);
        }
        change(all.entry(Arc::clone(rollout)).or_default())
    }

    /// Counts something that happened once.
    pub(in crate::plugins) fn count(&self, rollout: &Arc<str>, name: &str) {
        self.with(rollout, |tallied| tallied.add(name, 1));
    }

    /// Counts something that happened so often.
    pub(in crate::plugins) fn count_more(&self, rollout: &Arc<str>, name: &str, more: i64) {
        if more > 0 {
            self.with(rollout, |tallied| tallied.add(name, more));
        }
    }

    /// Counts a call of a version. One that the server did not begin says nothing about it.
    pub(in crate::plugins) fn call(&self, rollout: &Arc<str>, side: Side, outcome: &str, duration: Duration) {
        if outcome == "unavailable" {
            return;
        }
        let side = side.as_str();
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.with(rollout, |tallied| {
            tallied.add(&format!("{side}.runs"), 1);
            tallied.add(&format!("{side}.us.{}", bucket(microseconds)), 1);
            let kind = match outcome {
                "ok" => return,
                "denied" => "denied",
                _ => "failed",
            };
            tallied.add(&format!("{side}.{kind}"), 1);
        });
    }

    /// Counts a call that was not made, since the breaker of the version was open. It is no run: how often the version
    /// fails is counted by the calls that are made.
    pub(in crate::plugins) fn spared(&self, rollout: &Arc<str>, side: Side) {
        self.count(rollout, &format!("{}.spared", side.as_str()));
    }

    /// Counts how two answers differ.
    pub(in crate::plugins) fn compared(&self, rollout: &Arc<str>, comparison: &Comparison) {
        self.with(rollout, |tallied| {
            tallied.add(&format!("class.{}", comparison.class.as_str()), 1);
            let ways =
                [("added", &comparison.added), ("removed", &comparison.removed), ("changed", &comparison.changed)];
            let way = |way| if comparison.class == DifferenceClass::Noise { "noise" } else { way };
            for (name, claims) in ways {
                for claim in claims {
                    let claim = tallied.claim(claim);
                    tallied.add(&format!("claim.{}.{claim}", way(name)), 1);
                }
            }
        });
    }

    /// Remembers claims that differ between two calls of the active version.
    pub(in crate::plugins) fn learn_noise(&self, rollout: &Arc<str>, claims: impl IntoIterator<Item = String>) {
        self.with(rollout, |tallied| {
            for claim in claims {
                if tallied.noisy.len() < MAX_CLAIMS {
                    tallied.noisy.insert(claim);
                }
            }
        });
    }

    /// The claims that are known to be noise.
    pub(in crate::plugins) fn noise(&self, rollout: &Arc<str>) -> BTreeSet<String> {
        self.with(rollout, |tallied| tallied.noisy.clone())
    }

    /// Takes the room of one more sample of a class. `false`: there is none.
    pub(in crate::plugins) fn take_room(&self, rollout: &Arc<str>, class: DifferenceClass) -> bool {
        self.with(rollout, |tallied| {
            let sampled = tallied.sampled.entry(class).or_default();
            *sampled += 1;
            *sampled <= MAX_SAMPLES
        })
    }

    /// Keeps a sample, for which there was room.
    pub(in crate::plugins) fn keep(&self, rollout: &Arc<str>, sample: DifferenceSample) {
        self.with(rollout, |tallied| tallied.samples.push(sample));
    }

    /// What was counted since the last time. A rollout that is not among `live` is forgotten with it.
    pub(in crate::plugins) fn take(&self, live: &[Arc<str>]) -> Vec<TakenRollout> {
        let mut all = self.all();
        let mut taken = Vec::new();
        for (id, tallied) in all.iter_mut() {
            let (counts, samples) = (std::mem::take(&mut tallied.counts), std::mem::take(&mut tallied.samples));
            if !counts.is_empty() || !samples.is_empty() {
                taken.push(TakenRollout { id: Arc::clone(id), counts, samples });
            }
        }
        all.retain(|id, _| live.contains(id));
        taken
    }

    /// Adds what was taken and could not be written.
    pub(in crate::plugins) fn give_back(&self, taken: TakenRollout) {
        self.with(&taken.id, |tallied| {
            for (name, value) in taken.counts {
                tallied.add(&name, value);
            }
            tallied.samples.extend(taken.samples);
        });
    }
}

impl Tallied {
    fn add(&mut self, name: &str, more: i64) {
        match self.counts.get_mut(name) {
            Some(count) => *count = count.saturating_add(more),
            None => _ = self.counts.insert(name.to_owned(), more),
        }
    }

    /// The name under which a claim counts. The plugin chose it, so it is bounded, and is not shown where it looks like data
    /// of a user: everybody who may read the state of plugins sees it.
    fn claim(&mut self, claim: &str) -> String {
        let name: String = claim.chars().take(MAX_NAME_CHARS).collect();
        // A name with a NUL, which PostgreSQL does not keep, is not shown either.
        if !tells_nobody(&name) || (self.claims.len() >= MAX_CLAIMS && !self.claims.contains(&name)) {
            return OTHER_CLAIMS.to_owned();
        }
        self.claims.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rollout() -> Arc<str> {
        "r1".into()
    }

    #[test]
    fn counts_are_taken_once_and_given_back_where_they_could_not_be_written() {
        let (tally, id) = (Tally::default(), rollout());
        tally.call(&id, Side::Candidate, "ok", Duration::from_millis(1));
        tally.call(&id, Side::Candidate, "denied", Duration::from_millis(1));
        tally.call(&id, Side::Active, "trapped", Duration::from_millis(2));
        tally.call(&id, Side::Active, "unavailable", Duration::ZERO);
        tally.spared(&id, Side::Active);
        let taken = tally.take(std::slice::from_ref(&id));
        assert!(tally.take(std::slice::from_ref(&id)).is_empty());
        let counts = taken.first().map(|taken| taken.counts.clone()).unwrap_or_default();
        let of = |name: &str| counts.get(name).copied().unwrap_or_default();
        assert_eq!((of("candidate.runs"), of("candidate.denied"), of("candidate.failed")), (2, 1, 0));
        assert_eq!((of("active.runs"), of("active.denied"), of("active.failed")), (1, 0, 1));
        assert_eq!((of("active.spared"), of("candidate.spared")), (1, 0), "what was not called did not fail");
        for one in taken {
            tally.give_back(one);
        }
        tally.call(&id, Side::Candidate, "ok", Duration::from_millis(1));
        let taken = tally.take(&[]);
        assert_eq!(taken.first().and_then(|taken| taken.counts.get("candidate.runs").copied()), Some(3));
    }

    #[test]
    fn names_that_a_plugin_made_of_data_are_not_shown() {
        let (tally, id) = (Tally::default(), rollout());
        let changed = vec!["plan".to_owned(), "ada@example.com".to_owned()];
        let class = DifferenceClass::Different;
        tally.compared(&id, &Comparison { class, added: Vec::new(), removed: Vec::new(), changed });
        let taken = tally.take(&[]);
        let names: Vec<_> = taken.iter().flat_map(|taken| taken.counts.keys()).collect();
        assert_eq!(names, ["claim.changed.plan", "claim.changed.…", "class.different"]);
    }

    #[test]
    fn names_and_samples_have_an_end() {
        let (tally, id) = (Tally::default(), rollout());
        for number in 0..3 * MAX_CLAIMS {
            let added = vec![format!("{}{number}", "long".repeat(MAX_NAME_CHARS)), format!("nul\0{number}")];
            let class = DifferenceClass::Different;
            tally.compared(&id, &Comparison { class, added, removed: Vec::new(), changed: vec![number.to_string()] });
            if tally.take_room(&id, class) {
                tally.keep(&id, DifferenceSample { class, user: None, content: json!(number) });
            }
        }
        let taken = tally.take(&[]);
        let taken = taken.first().cloned().unwrap_or_default();
        assert_eq!(taken.samples.len(), MAX_SAMPLES);
        assert!(taken.counts.len() <= MAX_CLAIMS + 4, "{}", taken.counts.len());
        assert!(taken.counts.keys().all(|name| name.chars().count() <= 120 && !name.contains('\0')));
    }
}
