//! Reads inputs: golden cases, a list of inputs, one input, or one input per line.

use anyhow::{Context as _, bail};
use claimsmith_harness::{CachedEntry, Case, CaseAnswer, Input, StubResponse};
use serde_json::{Map, Value};
use std::io::Read as _;
use std::path::Path;

/// The cases of a file, or of standard input where it is called `-`. Their expected answers are not used.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<Case>> {
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("the input cannot be read")?;
        text
    } else {
        std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?
    };
    parse(&text).with_context(|| file.display().to_string())
}

/// The cases of a text.
pub(super) fn parse(text: &str) -> anyhow::Result<Vec<Case>> {
    let values: Vec<Value> = serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>()?;
    let items = values.into_iter().flat_map(|value| match value {
        Value::Array(items) => items,
        one => vec![one],
    });
    let cases: Vec<Case> = items.enumerate().map(|(index, item)| case(index, item)).collect::<Result<_, _>>()?;
    anyhow::ensure!(!cases.is_empty(), "it contains no input");
    Ok(cases)
}

fn case(index: usize, item: Value) -> anyhow::Result<Case> {
    let place = || format!("input {}", index + 1);
    let Value::Object(mut members) = item else { bail!("{} is not an object", place()) };
    let name = members.get("name").and_then(Value::as_str).map_or_else(place, str::to_owned);
    let none = || Value::Array(Vec::new());
    let (input, http, cache) = match members.remove("input") {
        Some(input) => {
            let mut list = |name: &str| members.remove(name).unwrap_or_else(none);
            (input, list("http"), list("cache"))
        }
        None => (Value::Object(members), none(), none()),
    };
    let input: Input = serde_json::from_value(input).with_context(|| name.clone())?;
    let http: Vec<StubResponse> = serde_json::from_value(http).with_context(|| format!("{name}, http"))?;
    let cache: Vec<CachedEntry> = serde_json::from_value(cache).with_context(|| format!("{name}, cache"))?;
    Ok(Case { name, input, http, cache, instructions: None, expected: CaseAnswer::Claims(Map::new()) })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::parse;

    #[test]
    fn cases_inputs_and_lines_are_all_read() {
        let names = |text: &str| parse(text).unwrap().into_iter().map(|case| case.name).collect::<Vec<_>>();
        assert_eq!(names(r#"{"token": {"a": 1}}"#), ["input 1"]);
        assert_eq!(names("{\"token\": {}}\n{\"context\": {}}\n"), ["input 1", "input 2"]);
        let cases = r#"[{ "name": "a", "input": { "token": {} }, "expected": { "claims": {} } }, { "token": {} }]"#;
        assert_eq!(names(cases), ["a", "input 2"]);
        for refused in ["", "[]", "[1]", r#"{"tokens": {}}"#, "{", r#"{"input": {}, "http": 1}"#] {
            assert!(parse(refused).is_err(), "{refused}");
        }
    }
}
