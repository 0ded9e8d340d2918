//! The rules of a rollout as fields of its form. A field is named after the member of the API that it is sent as, so
//! that the problems of that member are shown at it.

use crate::form::Form;
use claimsmith_domain::documents::rollout::RolloutRules;
use serde_json::{Map, Value, json};

/// What the names of all fields begin with: the member of the rollout.
pub(super) const PREFIX: &str = "rules.";
const PROMOTE_RUNS: &str = "rules.promoteAfter.runs";
const PROMOTE_MINUTES: &str = "rules.promoteAfter.minutes";
const DIFFERENT: &str = "rules.abortOver.different";
const DENIED: &str = "rules.abortOver.denied";
const FAILED: &str = "rules.abortOver.failed";
const SLOWER: &str = "rules.abortOver.slowerP99";
const PAUSE_RUNS: &str = "rules.pauseUnder.runs";

/// A field of the form.
pub(super) struct RuleField {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
    /// Whether it is a percentage, which may have decimals.
    pub(super) is_percent: bool,
}

const fn field(name: &'static str, is_percent: bool, label: &'static str, hint: &'static str) -> RuleField {
    RuleField { name, label, hint, is_percent }
}

/// All fields, in the order of the form.
#[rustfmt::skip]
pub(super) const FIELDS: &[RuleField] = &[
    field(PROMOTE_RUNS, false, "Promote after (runs)", "Calls of the new version on all nodes. Leave empty to promote by hand."),
    field(PROMOTE_MINUTES, false, "Promote after (minutes)", "Minutes without a pause, at most 43200. Both must be reached, with the circuit breaker closed."),
    field(DIFFERENT, true, "Abort over (% different)", "Answers with other values. Only the answers of a shadow are compared."),
    field(DENIED, true, "Abort over (% denied)", "Denied calls; for a canary, how many more than those of the active version."),
    field(FAILED, true, "Abort over (% failed)", "Failed calls; for a canary, how many more than those of the active version."),
    field(SLOWER, true, "Abort over (% slower at p99)", "How much slower p99 is than that of the active version, after 100 runs of both."),
    field(PAUSE_RUNS, false, "Pause under (runs)", "Too few runs to decide when the minutes above are over; without minutes, within an hour."),
];

/// The value of a field for these rules; empty where they do not have it.
pub(super) fn value(rules: &RolloutRules, name: &str) -> String {
    let limits = rules.abort_over.unwrap_or_default();
    let whole = |number: Option<u32>| number.map(|number| number.to_string());
    let percent = |number: Option<f64>| number.map(|number| number.to_string());
    let found = match name {
        PROMOTE_RUNS => whole(rules.promote_after.map(|rule| rule.runs)),
        PROMOTE_MINUTES => whole(rules.promote_after.map(|rule| rule.minutes)),
        DIFFERENT => percent(limits.different),
        DENIED => percent(limits.denied),
        FAILED => percent(limits.failed),
        SLOWER => percent(limits.slower_p99),
        PAUSE_RUNS => whole(rules.pause_under.map(|rule| rule.runs)),
        _ => None,
    };
    found.unwrap_or_default()
}

/// The rules of a form; none if all fields are empty. Every field that is wrong is marked; the error is the first
/// problem.
pub(super) fn asked(form: &Form) -> Result<Option<Value>, String> {
    let mut rules = Map::new();
    let mut problems = Vec::new();
    for RuleField { name, is_percent, .. } in FIELDS {
        let Some(text) = form.filled(name) else { continue };
        match number(text, *is_percent) {
            Some(number) => put(&mut rules, name, number),
            None if *is_percent => problems.push(form.refuse(name, format!("“{text}” is not a number."))),
            None => problems.push(form.refuse(name, format!("“{text}” is not a whole number."))),
        }
    }
    for (given, other) in [(PROMOTE_RUNS, PROMOTE_MINUTES), (PROMOTE_MINUTES, PROMOTE_RUNS)] {
        if form.filled(given).is_some() && form.filled(other).is_none() {
            problems.push(form.refuse(other, "Promotion needs runs and minutes: fill in both, or neither."));
        }
    }
    match problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok((!rules.is_empty()).then_some(Value::Object(rules))),
    }
}

/// Limits are checked by the API.
fn number(text: &str, is_percent: bool) -> Option<Value> {
    if is_percent {
        text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| json!(number))
    } else {
        text.parse::<i64>().ok().map(|number| json!(number))
    }
}

fn put(rules: &mut Map<String, Value>, name: &str, number: Value) {
    let Some((rule, member)) = name.strip_prefix(PREFIX).and_then(|path| path.split_once('.')) else { return };
    if let Some(members) = rules.entry(rule).or_insert_with(|| json!({})).as_object_mut() {
        members.insert(member.to_owned(), number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fields: &[(&str, &str)]) -> Form {
        Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn fields_and_rules_are_the_same_in_both_directions() {
        let rules = json!({
            "promoteAfter": { "runs": 500, "minutes": 60 },
            "abortOver": { "different": 2.0, "denied": 1.0, "failed": 0.5, "slowerP99": 100.0 },
            "pauseUnder": { "runs": 50 }
        });
        let read: RolloutRules = serde_json::from_value(rules.clone()).unwrap_or_default();
        let shown: Vec<_> = FIELDS.iter().map(|field| (field.name, value(&read, field.name))).collect();
        let values: Vec<&str> = shown.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["500", "60", "2", "1", "0.5", "100", "50"]);
        let fields: Vec<_> = shown.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(asked(&form(&fields)), Ok(Some(rules)));
        assert_eq!(asked(&form(&[(PROMOTE_RUNS, " "), (FAILED, "")])), Ok(None));
        let pause = json!({ "pauseUnder": { "runs": 1 } });
        assert_eq!(asked(&form(&[(PAUSE_RUNS, "1")])), Ok(Some(pause)), "what is empty is left out");
        assert_eq!(value(&RolloutRules::default(), PROMOTE_RUNS), "");
    }

    #[test]
    fn every_field_that_is_wrong_is_marked() {
        let wrong =
            form(&[(PROMOTE_RUNS, "many"), (PROMOTE_MINUTES, "1.5"), (FAILED, "inf"), (DENIED, "1,5"), (SLOWER, "5")]);
        assert_eq!(asked(&wrong), Err("“many” is not a whole number.".to_owned()));
        for name in [PROMOTE_RUNS, PROMOTE_MINUTES, FAILED, DENIED] {
            assert!(wrong.is_wrong(name), "{name}");
        }
        assert!(!wrong.is_wrong(SLOWER) && !wrong.is_wrong(PAUSE_RUNS));
        for (given, missing) in [(PROMOTE_RUNS, PROMOTE_MINUTES), (PROMOTE_MINUTES, PROMOTE_RUNS)] {
            let half = form(&[(given, "5")]);
            assert!(asked(&half).is_err() && half.is_wrong(missing) && !half.is_wrong(given), "{given}");
        }
    }
}
