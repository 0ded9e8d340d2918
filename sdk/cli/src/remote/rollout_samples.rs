//! `claimsmith plugin rollout samples`: calls whose answers differ in a rollout, and golden cases of them.

use super::{Remote, SuccessResponse, view};
use crate::case_files;
use crate::terminal::{print_error, print_line, printable};
use claimsmith_harness::diff;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct SamplesArgs {
    /// The plugin's name.
    pub(super) name: String,
    /// Add so many samples, of different classes, to a file of golden cases
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1000))]
    as_cases: Option<u16>,
    /// Whose answer the golden cases expect: that of the active version, or of the version in the rollout
    #[arg(long, default_value = "active", value_parser = ["active", "candidate"], requires = "as_cases")]
    expect: String,
    /// The file of golden cases [default: NAME.cases.json]
    #[arg(long, value_name = "FILE", requires = "as_cases")]
    cases: Option<PathBuf>,
}

/// Shows the samples, and adds golden cases of them.
pub(crate) fn run(remote: &Remote, answer: &SuccessResponse, args: &SamplesArgs) -> anyhow::Result<()> {
    let list = answer.json()?;
    let samples = view::items(&list);
    if remote.json {
        print_line(&answer.text);
    } else {
        for sample in samples {
            print_line(&rendered(sample));
        }
        print_line(&format!("{}: {} samples", args.name, samples.len()));
    }
    if let Some(count) = args.as_cases {
        let path = args.cases.clone().unwrap_or_else(|| PathBuf::from(format!("{}.cases.json", args.name)));
        let added = case_files::add(&path, cases(samples, &args.expect), count.into())?;
        print_error(&format!("{}: golden cases added: {added}", path.display()));
    }
    Ok(())
}

/// The golden cases of the samples; those of different classes take turns.
fn cases(samples: &[Value], side: &str) -> Vec<Value> {
    let mut classes: BTreeMap<String, VecDeque<Value>> = BTreeMap::new();
    let pointer = format!("/cases/{side}");
    for sample in samples {
        if let Some(case) = sample.pointer(&pointer).filter(|case| case.is_object()) {
            classes.entry(view::text(sample, "/class")).or_default().push_back(case.clone());
        }
    }
    let mut turns = Vec::new();
    while classes.values().any(|class| !class.is_empty()) {
        turns.extend(classes.values_mut().filter_map(VecDeque::pop_front));
    }
    turns
}

/// A sample, from the answer of the active version to the other one.
fn rendered(sample: &Value) -> String {
    let (class, id) = (view::text(sample, "/class"), view::text(sample, "/id"));
    let mut text = format!("{class:<16}{id}  {}", view::time(sample, "/createdAt"));
    let [active, candidate] = ["active", "candidate"].map(|side| members(sample, side));
    for line in diff(&active, &candidate).lines() {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n            {}", printable(line));
    }
    text
}

/// The answer of a version; a denial or a failure under its outcome.
fn members(sample: &Value, side: &str) -> Map<String, Value> {
    let of = |member: &str| sample.pointer(&format!("/content/{side}/{member}"));
    if let Some(Value::Object(members)) = of("answer") {
        return members.clone();
    }
    let outcome = of("outcome").and_then(Value::as_str).unwrap_or_default().to_owned();
    Map::from_iter([(outcome, of("redactedAnswer/message").cloned().unwrap_or_default())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample(class: &str, number: u32) -> Value {
        let name = format!("{class} {number}");
        let case = json!({ "name": name, "input": { "number": number }, "expected": { "claims": { "plan": "gold" } } });
        json!({
            "id": format!("id-{number}"), "class": class, "createdAt": 0,
            "content": {
                "active": { "outcome": "ok", "answer": { "plan": "gold", "tier": 1 } },
                "candidate": { "outcome": "denied", "answer": null, "redactedAnswer": { "message": "Not now." } },
            },
            "cases": { "active": case, "candidate": null },
        })
    }

    #[test]
    fn cases_of_different_classes_take_turns() {
        let samples = [sample("different", 1), sample("different", 2), sample("deniedInstead", 3)];
        let names: Vec<_> = cases(&samples, "active").iter().map(|case| view::text(case, "/name")).collect();
        assert_eq!(names, ["deniedInstead 3", "different 1", "different 2"]);
        assert!(cases(&samples, "candidate").is_empty(), "an answer that cannot be expected is no case");
    }

    #[test]
    fn both_answers_are_compared() {
        let text = rendered(&sample("deniedInstead", 3));
        assert!(text.starts_with("deniedInstead   id-3  "), "{text}");
        assert!(text.contains("gold") && text.contains("Not now."), "{text}");
    }
}
