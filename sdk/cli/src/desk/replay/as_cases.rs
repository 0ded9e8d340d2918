//! `--as-cases`: adds recorded samples to a plugin's golden cases. They expect what the active version answered. The
//! rest of the file stays as the author wrote it.

use anyhow::Context as _;
use claimsmith_harness::{Ending, RecordedExchange, Sample, load_cases};
use claimsmith_runtime::Kind;
use serde_json::value::RawValue;
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
    let mut names: BTreeSet<String> = load_cases(path)?.into_iter().flatten().map(|case| case.name).collect();
    let mut cases = raw_cases(path)?;
    let mut seen = Vec::new();
    let mut added = 0;
    for candidate in spread(candidates) {
        if added == count {
            break;
        }
        let Candidate { file, sample, expected } = candidate;
        let name = format!("recorded: {} {}", file.trim_end_matches(".ndjson"), sample.number);
        // Many users have the same input once it is redacted.
        if seen.contains(&&sample.input) {
            continue;
        }
        if names.contains(&name) {
            seen.push(&sample.input);
            continue;
        }
        let Some(case) = case(&name, sample, expected) else { continue };
        cases.push(raw(&case)?);
        seen.push(&sample.input);
        names.insert(name);
        added += 1;
    }
    if added > 0 {
        write(path, &cases)?;
    }
    Ok(added)
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

/// The cases that are there, as they are written.
fn raw_cases(path: &Path) -> anyhow::Result<Vec<Box<RawValue>>> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).with_context(|| path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// A case on lines of its own, at the depth of a list.
fn raw(case: &Value) -> anyhow::Result<Box<RawValue>> {
    let text = serde_json::to_string_pretty(case)?.replace('\n', "\n  ");
    Ok(RawValue::from_string(text)?)
}

/// The previous file is replaced only when the new one is complete.
fn write(path: &Path, cases: &[Box<RawValue>]) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(cases)? + "\n";
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let half = path.with_file_name(format!(".{name}.new"));
    let keep = || std::fs::write(&half, &text).and_then(|()| std::fs::rename(&half, path));
    keep().with_context(|| format!("{} cannot be written", path.display()))
}
