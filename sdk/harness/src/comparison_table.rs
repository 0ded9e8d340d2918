//! The table of a comparison: how many runs are of each class, which claims differ, and some samples of each.

use crate::comparison::{Change, ClaimChange, Class, Difference, Ending, Noise};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Samples that are kept of each class.
pub const MAX_SAMPLES: usize = 20;

/// Claims that are counted by name. A plugin may name its claims as it likes.
pub const MAX_CLAIMS: usize = 200;

/// A run needs more instructions if it needs more than so many percent of those before. They are deterministic, but a
/// little more is no finding in another version.
const MORE_INSTRUCTIONS_PERCENT: u64 = 110;

/// One input, with both endings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedRun {
    /// Where the input is found.
    pub sample: String,
    /// How the call ended that it is compared with.
    pub expected: Ending,
    /// How it ended now.
    pub actual: Ending,
    /// The claims that differ.
    pub changes: Vec<ClaimChange>,
    /// What is noise.
    pub noise: Noise,
}

/// The runs of one class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClassRow {
    /// How many there are.
    pub count: u64,
    /// The first of them; none of equal ones.
    pub samples: Vec<ComparedRun>,
}

/// How often a claim differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClaimCounts {
    /// Only the new answer has it.
    pub added: u64,
    /// Only the old answer has it.
    pub removed: u64,
    /// It has another value.
    pub changed: u64,
}

/// The table of all runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Comparison {
    /// How many inputs were compared.
    pub runs: u64,
    /// The runs by class; a class without runs is absent.
    pub classes: BTreeMap<Class, ClassRow>,
    /// The claims that differ, by name.
    pub claims: BTreeMap<String, ClaimCounts>,
    /// Differences of claims beyond [`MAX_CLAIMS`].
    pub other_claims: u64,
    /// Runs whose differences are, in part or all, noise.
    pub noisy: u64,
    /// Where noise is, with the number of runs; at most [`MAX_CLAIMS`] places.
    pub noise: BTreeMap<String, u64>,
    /// Runs of which both sides know their instructions.
    pub counted: u64,
    /// Those that needed more.
    pub more_instructions: u64,
}

impl Comparison {
    /// Adds one run. `instructions` are those before and now, where they were counted.
    pub fn add(
        &mut self,
        sample: &str,
        (expected, actual): (&Ending, &Ending),
        difference: Difference,
        instructions: Option<(u64, u64)>,
    ) {
        let Difference { class, changes, noise } = difference;
        self.runs += 1;
        for ClaimChange { claim, change, .. } in &changes {
            let Some(counts) = entry(&mut self.claims, claim) else {
                self.other_claims += 1;
                continue;
            };
            match change {
                Change::Added => counts.added += 1,
                Change::Removed => counts.removed += 1,
                Change::Changed => counts.changed += 1,
            }
        }
        self.noisy += u64::from(!noise.is_empty());
        for place in &noise {
            if let Some(count) = entry(&mut self.noise, place) {
                *count += 1;
            }
        }
        if let Some((before, now)) = instructions {
            self.counted += 1;
            let is_more = u128::from(now) * 100 > u128::from(before) * u128::from(MORE_INSTRUCTIONS_PERCENT);
            self.more_instructions += u64::from(is_more);
        }
        let row = self.classes.entry(class).or_default();
        row.count += 1;
        if class != Class::Equal && row.samples.len() < MAX_SAMPLES {
            let (expected, actual) = (expected.clone(), actual.clone());
            row.samples.push(ComparedRun { sample: sample.to_owned(), expected, actual, changes, noise });
        }
    }

    /// How many runs are of this class.
    #[must_use]
    pub fn count(&self, class: Class) -> u64 {
        self.classes.get(&class).map_or(0, |row| row.count)
    }

    /// The part of all runs that is of this class, from 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share is shown, not computed with")]
    pub fn share(&self, class: Class) -> f64 {
        if self.runs == 0 { 0.0 } else { self.count(class) as f64 / self.runs as f64 }
    }

    /// Whether all runs are equal.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.count(Class::Equal) == self.runs
    }
}

/// The entry of a name, while there is room for new ones.
fn entry<'a, T: Default>(counts: &'a mut BTreeMap<String, T>, name: &str) -> Option<&'a mut T> {
    if counts.len() >= MAX_CLAIMS {
        return counts.get_mut(name);
    }
    Some(counts.entry(name.to_owned()).or_default())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{Class, Comparison, Ending, MAX_CLAIMS, MAX_SAMPLES, Noise};
    use crate::comparison::compare;
    use serde_json::{Map, Value, json};

    fn ok(answer: Value) -> Ending {
        Ending { outcome: "ok".to_owned(), answer: Some(answer), message: None }
    }

    fn table_of(pairs: &[(Value, Value)]) -> Comparison {
        let mut table = Comparison::default();
        for (number, (before, after)) in pairs.iter().enumerate() {
            let (before, after) = (ok(before.clone()), ok(after.clone()));
            let difference = compare(&before, &after, &["/at".to_owned()].into());
            table.add(&number.to_string(), (&before, &after), difference, Some((100, 105)));
        }
        table
    }

    #[test]
    fn runs_are_counted_by_class_and_claim() {
        let pairs = [
            (json!({ "a": 1 }), json!({ "a": 1 })),
            (json!({ "a": 1, "at": 1 }), json!({ "a": 1, "at": 2 })),
            (json!({ "a": 1 }), json!({ "a": 2, "b": 1 })),
            (json!({ "a": 1 }), json!({})),
        ];
        let table = table_of(&pairs);
        assert_eq!((table.runs, table.count(Class::Equal), table.count(Class::Different)), (4, 2, 2));
        assert!((table.share(Class::Different) - 0.5).abs() < f64::EPSILON && !table.is_equal());
        let a = table.claims["a"];
        assert_eq!((a.added, a.removed, a.changed, table.claims["b"].added), (0, 1, 1, 1));
        assert_eq!((table.noisy, table.noise["/at"]), (1, 1));
        assert_eq!((table.counted, table.more_instructions), (4, 0));
        assert!(Comparison::default().is_equal() && Comparison::default().share(Class::Equal) == 0.0);
    }

    #[test]
    fn more_instructions_are_more_than_a_tenth_more() {
        let mut table = Comparison::default();
        let ending = ok(json!({}));
        for now in [90, 110, 111, u64::MAX] {
            let difference = compare(&ending, &ending, &Noise::new());
            table.add("a", (&ending, &ending), difference, Some((100, now)));
        }
        assert_eq!((table.counted, table.more_instructions), (4, 2));
    }

    #[test]
    fn samples_and_names_are_bounded() {
        let wide = |value: u32| {
            Value::Object((0..300).map(|name| (format!("c{name:03}"), json!(value))).collect::<Map<_, _>>())
        };
        let pairs: Vec<_> = (0..30).map(|_| (wide(1), wide(2))).collect();
        let table = table_of(&pairs);
        assert_eq!(table.classes[&Class::Different].samples.len(), MAX_SAMPLES);
        assert_eq!((table.claims.len(), table.other_claims), (MAX_CLAIMS, 30 * 100));
        assert_eq!((table.runs, table.count(Class::Different), table.claims["c000"].changed), (30, 30, 30));
    }

    #[test]
    fn a_table_is_kept_as_json() {
        let table = table_of(&[(json!({ "a": 1 }), json!({ "a": 2 })), (json!({}), json!({}))]);
        let text = serde_json::to_value(&table).unwrap();
        assert_eq!(text["classes"]["different"]["count"], 1);
        assert_eq!(serde_json::from_value::<Comparison>(text).unwrap(), table);
        assert_eq!(serde_json::from_value::<Comparison>(json!({})).unwrap(), Comparison::default());
    }
}
