//! `--as-cases`: adds recorded samples to a plugin's golden cases. They expect what the active version answered.

use crate::case_files;
use claimsmith_harness::{Ending, RecordedExchange, Sample};
use claimsmith_runtime::Kind;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// A sample that may become a golden case.
pub(super) struct Candidate<'a> {
    /// The name of its file.
    pub(super) file: &'a str,
    pub(super) sample: &'a Sample,
    /// How the recorded call ended.
    pub(super) expected: Ending,
}

/// Adds at most `count` of the samples. Returns how many were added.
pub(super) fn add(path: &Path, candidates: &[Candidate<'_>], count: usize) -> anyhow::Result<usize> {
    let cases = spread(candidates).into_iter().filter_map(|candidate| {
        let Candidate { file, sample, expected } = candidate;
        let name = format!("recorded: {} {}", file.trim_end_matches(".ndjson"), sample.number);
        case(&name, sample, expected)
    });
    case_files::add(path, cases, count)
}

/// All of them, so that those of different outcomes, and of answers with different members, take turns.
fn spread<'a, 'b>(candidates: &'b [Candidate<'a>]) -> Vec<&'b Candidate<'a>> {
    let mut groups: BTreeMap<(&str, BTreeSet<&String>), VecDeque<&Candidate<'a>>> = BTreeMap::new();
    for candidate in candidates {
        let Ending { outcome, answer, .. } = &candidate.expected;
        let members = answer.as_ref().and_then(Value::as_object);
        let members: BTreeSet<&String> = members.into_iter().flat_map(Map::keys).collect();
        groups.entry((outcome.as_str(), members)).or_default().push_back(candidate);
    }
    let mut turns = Vec::with_capacity(candidates.len());
    while turns.len() < candidates.len() {
        turns.extend(groups.values_mut().filter_map(VecDeque::pop_front));
    }
    turns
}

/// None where a golden case cannot expect what was answered.
fn case(name: &str, sample: &Sample, ending: &Ending) -> Option<Value> {
    let mut expected = expected(sample.kind, ending)?;
    // A body that is that of the event was not changed, and a golden case leaves it out.
    if let Some(sent) = expected.get_mut("sent").and_then(Value::as_object_mut)
        && sent.get("body") == sample.input.get("event")
    {
        sent.shift_remove("body");
    }
    let mut case = json!({ "name": name, "input": sample.input });
    if !sample.http.is_empty() {
        case["http"] = sample.http.iter().map(stub).collect::<Option<Vec<_>>>()?.into();
    }
    case["expected"] = expected;
    Some(case)
}

fn expected(kind: Kind, ending: &Ending) -> Option<Value> {
    let answer = || Some(Value::Object(ending.answer.as_ref()?.as_object()?.clone()));
    match (ending.outcome.as_str(), kind) {
        ("ok", Kind::Claims) => Some(json!({ "claims": answer()? })),
        ("ok", Kind::WebhookTransform) => {
            let answer = answer()?;
            let dropped = answer.get("drop").filter(|reason| reason.is_string());
            Some(dropped.map_or_else(|| json!({ "sent": answer }), |reason| json!({ "dropped": reason })))
        }
        ("denied", _) => Some(json!({ "denied": ending.message.as_ref()? })),
        // Of a failure its first line, since a stack trace follows.
        ("failed", _) => Some(json!({ "failed": ending.message.as_ref()?.lines().next()? })),
        // Time and memory are not the same on every machine.
        _ => None,
    }
}

/// The answer of another server, as golden cases have it; none if it is no text.
fn stub(exchange: &RecordedExchange) -> Option<Value> {
    let body = String::from_utf8(exchange.bytes().ok()?).ok()?;
    let headers: BTreeMap<&str, &str> =
        exchange.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Some(json!({
        "method": exchange.method, "url": exchange.url, "status": exchange.status, "headers": headers, "body": body,
    }))
}
