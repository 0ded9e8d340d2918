//! Compares how two versions of a plugin answered the same input: as JSON values, and by claim. It knows neither files
//! nor servers, and is the same for replays and for runs over all users. Rollouts count members alone, in classes of their
//! own, and share only the comparison of numbers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Paths that are kept of one claim that changed.
const MAX_PATHS: usize = 20;

/// Doubles tell integers apart whose size is less than this.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// The outcome of an answer.
const ANSWERED: &str = "ok";
/// The outcome of a denial, which is a decision of the plugin and no failure.
const DENIED: &str = "denied";
/// The outcome of a call that did not end in time.
const TIMED_OUT: &str = "timed_out";

/// How one call ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// `ok`, or why there is no answer, as `CallError::outcome` of the runtime.
    pub outcome: String,
    /// The claims; of a transform `body`, `headers` and `path`, or `drop`.
    #[serde(default)]
    pub answer: Option<Value>,
    /// The text of a denial or a failure.
    #[serde(default)]
    pub message: Option<String>,
}

/// How two endings compare; the second is the one that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Class {
    /// The same answer, the same denial, or the same kind of failure.
    Equal,
    /// Other claims, or a denial with another text.
    Different,
    /// It denies what was not denied.
    DeniedInstead,
    /// It answers what was denied, or had failed.
    AllowedInstead,
    /// It fails where the other did not, or fails in another way.
    Failed,
    /// It does not answer in time, and the other did.
    TimedOut,
}

/// What happened to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// Only the second answer has it.
    Added,
    /// Only the first answer has it.
    Removed,
    /// Both have it, with other values.
    Changed,
}

/// One claim that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimChange {
    /// Its name.
    pub claim: String,
    /// What happened to it.
    pub change: Change,
    /// The smallest values that differ, as JSON pointers (RFC 6901); the first of them, if they are many.
    pub paths: Vec<String>,
}

/// Parts of an answer that come from the clock or from random bytes, as JSON pointers. The empty one is the whole
/// ending: not even denials are the same each time.
pub type Noise = BTreeSet<String>;

/// The difference between two endings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Its class.
    pub class: Class,
    /// The claims that differ, by name, without noise.
    pub changes: Vec<ClaimChange>,
    /// What differs as well and is noise.
    pub noise: Noise,
}

impl Class {
    /// Every class, the better ones first.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::Different, Self::DeniedInstead, Self::AllowedInstead, Self::Failed, Self::TimedOut];

    /// In words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Different => "different",
            Self::DeniedInstead => "denied instead",
            Self::AllowedInstead => "allowed instead",
            Self::Failed => "failed",
            Self::TimedOut => "timed out",
        }
    }
}

/// Compares an ending with the one that is expected.
#[must_use]
pub fn compare(expected: &Ending, actual: &Ending, noise: &Noise) -> Difference {
    let class = |class| Difference { class, changes: Vec::new(), noise: Noise::new() };
    let varies = noise.contains("");
    match (expected.outcome.as_str(), actual.outcome.as_str()) {
        (ANSWERED, ANSWERED) => compare_answers(expected, actual, noise),
        (DENIED, DENIED) if expected.message == actual.message => class(Class::Equal),
        // A part of the text that varies makes the whole of it noise.
        (ANSWERED | DENIED, ANSWERED | DENIED) if varies => {
            Difference { noise: [String::new()].into(), ..class(Class::Equal) }
        }
        (DENIED, DENIED) => class(Class::Different),
        (_, DENIED) => class(Class::DeniedInstead),
        (_, ANSWERED) => class(Class::AllowedInstead),
        // The texts of failures name positions, which change with the source.
        (before, after) if before == after => class(Class::Equal),
        (_, TIMED_OUT) => class(Class::TimedOut),
        _ => class(Class::Failed),
    }
}

/// What differs between two calls of one version with the same input, under other clocks and random bytes. Failures
/// are no noise: a version that sometimes fails is judged by it.
#[must_use]
pub fn noise(first: &Ending, second: &Ending) -> Noise {
    match (first.outcome.as_str(), second.outcome.as_str()) {
        (ANSWERED, ANSWERED) => {
            let (first, second) = (members(first), members(second));
            let mut found = Vec::new();
            differing_members(&first, &second, &mut String::new(), &mut found);
            found.into_iter().collect()
        }
        (DENIED, DENIED) if first.message == second.message => Noise::new(),
        (ANSWERED | DENIED, ANSWERED | DENIED) => [String::new()].into(),
        _ => Noise::new(),
    }
}

fn compare_answers(expected: &Ending, actual: &Ending, noise: &Noise) -> Difference {
    let (before, after) = (members(expected), members(actual));
    let mut found = Difference { class: Class::Equal, changes: Vec::new(), noise: Noise::new() };
    for name in names(&before, &after) {
        let (mut at, mut paths) = (String::new(), Vec::new());
        push(&mut at, name);
        let change = match (before.get(name), after.get(name)) {
            (Some(before), Some(after)) => {
                differing(before, after, &mut at, &mut paths);
                Change::Changed
            }
            (earlier, _) => {
                paths.push(at);
                if earlier.is_none() { Change::Added } else { Change::Removed }
            }
        };
        let (varying, mut real): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| is_within(path, noise));
        found.noise.extend(varying);
        if !real.is_empty() {
            real.truncate(MAX_PATHS);
            found.class = Class::Different;
            found.changes.push(ClaimChange { claim: name.clone(), change, paths: real });
        }
    }
    found
}

/// The claims of an answer. What is no object counts as one claim without a name.
fn members(ending: &Ending) -> Cow<'_, Map<String, Value>> {
    match &ending.answer {
        Some(Value::Object(members)) => Cow::Borrowed(members),
        None | Some(Value::Null) => Cow::Owned(Map::new()),
        Some(other) => Cow::Owned(Map::from_iter([(String::new(), other.clone())])),
    }
}

fn names<'a>(before: &'a Map<String, Value>, after: &'a Map<String, Value>) -> BTreeSet<&'a String> {
    before.keys().chain(after.keys()).collect()
}

/// The pointers of the smallest values that differ. `at` is where the two are.
fn differing(before: &Value, after: &Value, at: &mut String, found: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => differing_members(before, after, at, found),
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                let length = at.len();
                push(at, &index.to_string());
                differing(before, after, at, found);
                at.truncate(length);
            }
        }
        (Value::Number(before), Value::Number(after)) if is_same_number(before, after) => {}
        (before, after) if before == after => {}
        _ => found.push(at.clone()),
    }
}

fn differing_members(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    at: &mut String,
    found: &mut Vec<String>,
) {
    for name in names(before, after) {
        let length = at.len();
        push(at, name);
        match (before.get(name), after.get(name)) {
            (Some(before), Some(after)) => differing(before, after, at, found),
            _ => found.push(at.clone()),
        }
        at.truncate(length);
    }
}

/// Appends a part of a JSON pointer (RFC 6901 section 3).
fn push(at: &mut String, name: &str) {
    at.push('/');
    at.push_str(&name.replace('~', "~0").replace('/', "~1"));
}

/// Whether a pointer leads to noise, or into it.
fn is_within(path: &str, noise: &Noise) -> bool {
    noise
        .iter()
        .any(|noisy| path.strip_prefix(noisy.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether two numbers have the same value: 1 and 1.0 do.
fn is_same_number(before: &Number, after: &Number) -> bool {
    if before == after {
        return true;
    }
    let is_double = before.is_f64() || after.is_f64();
    // Larger integers are different numbers that are the same double.
    let exact = |number: &Number| number.as_f64().filter(|value| value.abs() < MAX_EXACT);
    is_double && exact(before).zip(exact(after)).is_some_and(|(before, after)| before.total_cmp(&after).is_eq())
}

#[cfg(test)]
mod tests;
