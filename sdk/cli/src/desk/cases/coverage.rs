//! `--coverage`: finds inputs that no golden case has. A plugin that reads `context.user` should be tested with a user
//! and without one.

use claimsmith_harness::{Case, CaseAnswer, PluginReport, load_cases};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Parts of the input of claims plugins.
const CLAIMS_INPUTS: [&str; 6] =
    ["context.grant", "context.user", "context.application", "context.organization", "context.interaction", "token"];

/// Parts of the input of message plugins.
const MESSAGE_INPUTS: [&str; 2] = ["message.code", "message.link"];

/// Prints what is missing. A plugin without cases, or one that does not load, was reported already.
pub(super) fn print(file: &Path, plugin: &PluginReport, out: &mut dyn Write) -> io::Result<()> {
    let Ok(Some(cases)) = load_cases(file) else { return Ok(()) };
    if cases.is_empty() {
        return Ok(());
    }
    let missing = missing(&cases);
    if missing.is_empty() {
        return writeln!(out, "COVERAGE  {}: complete", plugin.name);
    }
    writeln!(out, "COVERAGE  {}: no case {}", plugin.name, missing.join(", "))
}

fn missing(cases: &[Case]) -> Vec<String> {
    let is_transform = cases.iter().any(|case| case.input.event.is_some());
    let is_message = cases.iter().any(|case| case.input.message.is_some());
    let (inputs, answers): (&[&str], &[&str]) = match (is_transform, is_message) {
        (true, _) => (&[], &["sent", "dropped"]),
        (_, true) => (&MESSAGE_INPUTS, &["a request"]),
        _ => (&CLAIMS_INPUTS, &["claims", "a denial"]),
    };
    let mut missing = Vec::new();
    for part in inputs {
        let (with, without): (Vec<_>, Vec<_>) = cases.iter().partition(|case| has(case, part));
        if with.is_empty() {
            missing.push(format!("with {part}"));
        } else if without.is_empty() {
            missing.push(format!("without {part}"));
        }
    }
    let expected: BTreeSet<_> = cases.iter().map(|case| kind_name(&case.expected)).collect();
    missing.extend(
        answers
            .iter()
            .filter(|kind_name| !expected.contains(**kind_name))
            .map(|kind_name| format!("that expects {kind_name}")),
    );
    missing
}

fn has(case: &Case, part: &str) -> bool {
    let (input, context) = (&case.input, &case.input.context);
    let message = input.message.as_ref();
    match part {
        "message.code" => message.is_some_and(|message| message.code.is_some()),
        "message.link" => message.is_some_and(|message| message.link.is_some()),
        "context.grant" => context.grant.is_some(),
        "context.user" => context.user.is_some(),
        "context.application" => context.application.is_some(),
        "context.organization" => context.organization.is_some(),
        "context.interaction" => context.interaction.is_some(),
        _ => !input.token.is_empty(),
    }
}

fn kind_name(answer: &CaseAnswer) -> &'static str {
    match answer {
        CaseAnswer::Claims(_) => "claims",
        CaseAnswer::Denied(_) => "a denial",
        CaseAnswer::Sent(_) => "sent",
        CaseAnswer::Dropped(_) => "dropped",
        CaseAnswer::Request(_) => "a request",
        CaseAnswer::Failed(_) => "a failure",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::missing;
    use claimsmith_harness::parse_cases;

    #[test]
    fn uncovered_inputs_are_reported() {
        let cases = parse_cases(
            "a.cases.json",
            br#"[{ "name": "a", "input": { "context": { "user": {} } }, "expected": { "claims": {} } },
                 { "name": "b", "input": { "context": { "user": {}, "grant": { "type": "g" } } }, "expected": { "denied": "" } }]"#,
        );
        let expected = ["without context.user", "with context.application", "with context.organization"];
        let rendered = missing(&cases.unwrap());
        assert!(expected.iter().all(|part| rendered.contains(&(*part).to_owned())), "{rendered:?}");
        assert!(!rendered.iter().any(|part| part.contains("grant") || part.contains("expects")), "{rendered:?}");
    }

    #[test]
    fn a_message_has_a_code_or_a_link() {
        let cases = parse_cases(
            "a.cases.json",
            br#"[{ "name": "a", "input": { "message": { "code": "1" } }, "expected": { "denied": "" } }]"#,
        );
        let expected = ["without message.code", "with message.link", "that expects a request"];
        assert_eq!(missing(&cases.unwrap()), expected);
    }
}
