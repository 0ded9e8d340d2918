//! What a run over all users has found so far: the comparison's table without its samples, which are rows of their own so
//! that they go with their users, and how long the calls took.

use super::super::recordings::tells_nobody;
use super::super::statistics::{bucket, percentile};
use super::SAMPLES_PER_CLASS;
use super::called::Compared;
use claimsmith_harness::{Class, Comparison};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The table of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PopulationTally {
    comparison: Comparison,
    /// Differences that are stored, by class.
    kept: BTreeMap<Class, u64>,
    /// How many calls took how long: a count for each bucket of the statistics.
    candidate: BTreeMap<usize, u64>,
    /// The same of the version that it is compared with.
    against: BTreeMap<usize, u64>,
}

/// How often a claim differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRow {
    /// Its name.
    pub name: String,
    /// Only the new version sets it.
    pub added: u64,
    /// Only the old one does.
    pub removed: u64,
    /// It has another value.
    pub changed: u64,
    /// It also differs between two calls of the old version.
    pub noise: u64,
}

/// How long the calls of one version took, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunDurations {
    /// The median.
    pub p50_us: Option<u64>,
    /// The 99th percentile.
    pub p99_us: Option<u64>,
}

/// The spelling of a class in rows and answers.
#[must_use]
pub fn class_name(class: Class) -> &'static str {
    match class {
        Class::Equal => "equal",
        Class::Different => "different",
        Class::DeniedInstead => "deniedInstead",
        Class::AllowedInstead => "allowedInstead",
        Class::Failed => "failed",
        Class::TimedOut => "timedOut",
    }
}

/// The class of a spelling.
#[must_use]
pub fn class_of(name: &str) -> Option<Class> {
    Class::ALL.into_iter().find(|class| class_name(*class) == name)
}

impl PopulationTally {
    /// Counts one user.
    pub fn add(&mut self, compared: &Compared) {
        let Compared { expected, actual, difference, durations: (against, candidate) } = compared;
        let class = difference.class;
        self.comparison.add("", (expected, actual), difference.clone(), None);
        if let Some(row) = self.comparison.classes.get_mut(&class) {
            row.samples.clear();
        }
        *self.candidate.entry(bucket_of(*candidate)).or_default() += 1;
        if let Some(against) = against {
            *self.against.entry(bucket_of(*against)).or_default() += 1;
        }
    }

    /// The classes whose differences are kept: all while there is room, and then those that have few.
    #[must_use]
    pub fn kept_classes(&self, has_room: bool) -> Vec<&'static str> {
        let has_few = |class: Class| self.kept.get(&class).copied().unwrap_or_default() < SAMPLES_PER_CLASS as u64;
        let found = Class::ALL.into_iter().filter(|class| *class != Class::Equal && (has_room || has_few(*class)));
        found.map(class_name).collect()
    }

    /// Counts a difference that is kept.
    pub fn keep(&mut self, compared: &Compared) {
        *self.kept.entry(compared.difference.class).or_default() += 1;
    }

    /// Users by class, the better ones first; a class without users is absent.
    pub fn classes(&self) -> impl Iterator<Item = (&'static str, u64, f64)> {
        let found = Class::ALL.into_iter().filter(move |class| self.comparison.count(*class) > 0);
        found.map(move |class| (class_name(class), self.comparison.count(class), self.comparison.share(class)))
    }

    /// The claims that differ, by name. A name that looks like data of a user, of which the plugin made it, is not shown.
    #[must_use]
    pub fn claims(&self) -> Vec<ClaimRow> {
        let mut noise: BTreeMap<String, u64> = BTreeMap::new();
        for (place, count) in &self.comparison.noise {
            *noise.entry(claim_of(place)).or_default() += count;
        }
        let mut rows: BTreeMap<String, ClaimRow> = BTreeMap::new();
        let row = |name: &str| ClaimRow { name: name.to_owned(), added: 0, removed: 0, changed: 0, noise: 0 };
        for (name, counts) in &self.comparison.claims {
            let (added, removed, changed) = (counts.added, counts.removed, counts.changed);
            rows.insert(name.clone(), ClaimRow { added, removed, changed, ..row(name) });
        }
        for (name, count) in noise {
            rows.entry(name.clone()).or_insert_with(|| row(&name)).noise = count;
        }
        rows.into_values().filter(|row| tells_nobody(&row.name)).collect()
    }

    /// Differences of claims beyond those that are counted by name, or whose names are not shown.
    #[must_use]
    pub fn other_claims(&self) -> u64 {
        let hidden = self.comparison.claims.iter().filter(|(name, _)| !tells_nobody(name));
        let hidden: u64 = hidden.map(|(_, counts)| counts.added + counts.removed + counts.changed).sum();
        self.comparison.other_claims + hidden
    }

    /// Users whose answers differ, in part or all, by noise.
    #[must_use]
    pub fn noisy(&self) -> u64 {
        self.comparison.noisy
    }

    /// How long the calls of the version took that is tried.
    #[must_use]
    pub fn of_candidate(&self) -> RunDurations {
        durations(&self.candidate)
    }

    /// The same of the version that it is compared with.
    #[must_use]
    pub fn of_against(&self) -> RunDurations {
        durations(&self.against)
    }
}

/// The claim that a JSON pointer leads into; the empty pointer is the whole answer.
fn claim_of(pointer: &str) -> String {
    let name = pointer.split('/').nth(1).unwrap_or_default();
    name.replace("~1", "/").replace("~0", "~")
}

fn bucket_of(duration: Duration) -> usize {
    bucket(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

fn durations(counts: &BTreeMap<usize, u64>) -> RunDurations {
    RunDurations { p50_us: percentile(counts, 50), p99_us: percentile(counts, 99) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_harness::{Ending, Noise, compare};
    use serde_json::{Value, json};

    fn compared(before: Value, after: Value, milliseconds: u64) -> Compared {
        let ok = |answer| Ending { outcome: "ok".to_owned(), answer: Some(answer), message: None };
        let (expected, actual) = (ok(before), ok(after));
        let noise = Noise::from(["/at/ms".to_owned()]);
        let difference = compare(&expected, &actual, &noise);
        let durations = (Some(Duration::from_millis(1)), Duration::from_millis(milliseconds));
        Compared { expected, actual, difference, durations }
    }

    #[test]
    fn users_add_up_to_a_table_without_their_answers() -> Result<(), serde_json::Error> {
        let mut tally = PopulationTally::default();
        for _ in 0..30 {
            tally.add(&compared(json!({ "plan": "secret-a" }), json!({ "plan": "secret-b", "vip": true }), 10));
        }
        tally.add(&compared(json!({ "at": { "ms": 1 } }), json!({ "at": { "ms": 2 } }), 10));
        let text = serde_json::to_string(&tally)?;
        assert!(!text.contains("secret"), "{text}");
        let tally: PopulationTally = claimsmith_json::read(&text, claimsmith_json::STORED)?;
        let classes: Vec<_> = tally.classes().map(|(name, count, _)| (name, count)).collect();
        assert_eq!(classes, [("equal", 1), ("different", 30)]);
        let claims: Vec<_> =
            tally.claims().into_iter().map(|row| (row.name, row.added, row.changed, row.noise)).collect();
        let named = |name: &str, added, changed, noise| (name.to_owned(), added, changed, noise);
        assert_eq!(claims, [named("at", 0, 0, 1), named("plan", 0, 30, 0), named("vip", 30, 0, 0)]);
        assert_eq!((tally.noisy(), tally.other_claims()), (1, 0));
        assert!(tally.of_candidate().p50_us.is_some_and(|us| us.abs_diff(10_000) < 1500));
        assert!(tally.of_against().p99_us.is_some_and(|us| us.abs_diff(1000) < 200));
        Ok(())
    }

    #[test]
    fn names_that_a_plugin_made_of_data_are_not_shown() {
        let mut tally = PopulationTally::default();
        tally.add(&compared(json!({}), json!({ "vip": true, "ada@example.com": true }), 1));
        let names: Vec<_> = tally.claims().into_iter().map(|row| row.name).collect();
        assert_eq!((names, tally.other_claims()), (vec!["vip".to_owned()], 1));
    }

    #[test]
    fn some_differences_of_each_class_are_wanted() {
        let mut tally = PopulationTally::default();
        let different = compared(json!({ "plan": "a" }), json!({ "plan": "b" }), 1);
        for _ in 0..SAMPLES_PER_CLASS {
            assert!(tally.kept_classes(false).contains(&"different"));
            tally.keep(&different);
        }
        let few = ["deniedInstead", "allowedInstead", "failed", "timedOut"];
        assert_eq!(tally.kept_classes(false), few, "others than equal ones");
        assert!(tally.kept_classes(true).contains(&"different"));
        for class in Class::ALL {
            assert_eq!(class_of(class_name(class)), Some(class));
        }
        assert_eq!(class_of("Equal"), None);
    }
}
