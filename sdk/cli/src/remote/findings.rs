//! Prints the findings of a refused plugin: one line each, `file:line:column: message`, as compilers write it, so that
//! editors find the position.

use crate::terminal::printable;
use serde_json::Value;
use std::fmt::Write as _;

/// The lines of all findings in `body`. Those that name no file are about `file`, unless they are about a case.
pub(super) fn render(body: &Value, file: &str) -> Vec<String> {
    let findings = body.pointer("/data/findings").and_then(Value::as_array);
    findings.into_iter().flatten().flat_map(|finding| lines(finding, file)).collect()
}

fn lines(finding: &Value, file: &str) -> Vec<String> {
    let text = |name: &str| finding.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let number = |name: &str| finding.get(name).and_then(Value::as_u64);
    let case = text("case");
    let mut head = String::new();
    // Writing to a string cannot fail.
    if let Some(file) = text("file").or_else(|| Some(file).filter(|file| case.is_none() && !file.is_empty())) {
        head.push_str(file);
        if let Some(line) = number("line") {
            let _ = write!(head, ":{line}");
            if let Some(column) = number("column") {
                let _ = write!(head, ":{column}");
            }
        }
        head.push_str(": ");
    }
    if let Some(case) = case {
        let _ = write!(head, "case {case:?}: ");
    }
    let message = text("message").or_else(|| text("kind")).unwrap_or("refused");
    let mut message = message.lines();
    let mut all = vec![printable(&(head + message.next().unwrap_or_default()))];
    all.extend(message.map(|line| format!("    {}", printable(line))));
    for name in ["expected", "actual"] {
        if let Some(value) = finding.get(name).filter(|value| !value.is_null()) {
            all.push(format!("    {name:<9}{}", printable(&value.to_string())));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::render;
    use serde_json::json;

    #[test]
    fn a_finding_says_where_it_is_as_far_as_it_is_known() {
        let body = json!({ "data": { "findings": [
            { "kind": "syntax", "message": "expecting ';'", "file": "hello.js", "line": 3, "column": 14 },
            { "kind": "syntax", "message": "unexpected end", "line": 9 },
            { "kind": "manifest", "message": "unknown key\nthe nearest is `order`", "file": "hello.toml" },
            { "kind": "world" },
        ] } });
        assert_eq!(
            render(&body, "my.js"),
            [
                "hello.js:3:14: expecting ';'",
                "my.js:9: unexpected end",
                "hello.toml: unknown key",
                "    the nearest is `order`",
                "my.js: world",
            ]
        );
    }

    #[test]
    fn a_failing_case_shows_what_was_expected_and_what_came() {
        let body = json!({ "data": { "findings": [
            { "kind": "case", "message": "other claims", "case": "a \"new\" one", "expected": { "a": 1 }, "actual": { "a": 2 } },
            { "kind": "case", "message": "no denial", "file": "x.cases.json", "case": "b", "expected": "No.", "actual": null },
        ] } });
        assert_eq!(
            render(&body, "my.js"),
            [
                "case \"a \\\"new\\\" one\": other claims",
                "    expected {\"a\":1}",
                "    actual   {\"a\":2}",
                "x.cases.json: case \"b\": no denial",
                "    expected \"No.\"",
            ]
        );
    }

    #[test]
    fn a_finding_steers_no_terminal_and_other_refusals_have_none() {
        let body = json!({ "data": { "findings": [{ "message": "\u{1b}[2Jgone" }] } });
        assert_eq!(render(&body, ""), ["\\u{1b}[2Jgone"]);
        assert!(render(&json!({ "code": "x", "data": { "findings": "?" } }), "my.js").is_empty());
        assert!(render(&serde_json::Value::Null, "my.js").is_empty());
    }
}
