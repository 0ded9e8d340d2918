//! `--coverage`: finds inputs that no golden case has. A plugin that reads `context.user` should be tested with a user
//! and without one.

use claimsmith_harness::{Answer, Case, PluginReport, load_cases};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Parts of the input of claims plugins.
const CLAIMS_INPUTS: [&str; 6] =
    ["context.grant", "context.user", "context.application", "context.organization", "context.interaction", "token"];

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
    let mut missing = Vec::new();
    if !is_transform {
        for part in CLAIMS_INPUTS {
            let (with, without): (Vec<_>, Vec<_>) = cases.iter().partition(|case| has(case, part));
            if with.is_empty() {
                missing.push(format!("with {part}"));
            } else if without.is_empty() {
                missing.push(format!("without {part}"));
            }
        }
    }
    let expected: BTreeSet<_> = cases.iter().map(|case| kind_name(&case.expected)).collect();
    let all = if is_transform { ["sent", "dropped"] } else { ["claims", "a denial"] };
    missing.extend(
        all.into_iter()
            .filter(|kind_name| !expected.contains(kind_name))
            .map(|kind_name| format!("that expects {kind_name}")),
    );
    missing
}

fn has(case: &Case, part: &str) -> bool {
    let (input, context) = (&case.input, &case.input.context);
    match part {
        "context.grant" => context.grant.is_some(),
        "context.user" => context.user.is_some(),
        "context.application" => context.application.is_some(),
        "context.organization" => context.organization.is_some(),
        "context.interaction" => context.interaction.is_some(),
        _ => !input.token.is_empty(),
    }
}

fn kind_name(answer: &Answer) -> &'static str {
    match answer {
        Answer::Claims(_) => "claims",
        Answer::Denied(_) => "a denial",
        Answer::Sent(_) => "sent",
        Answer::Dropped(_) => "dropped",
        Answer::Failed(_) => "a failure",
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
}
