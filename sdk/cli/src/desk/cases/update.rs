//! `--update`: what a plugin answers becomes what its failing cases expect. Everything else of the file stays as the
//! author wrote it.

use crate::terminal::complain;
use anyhow::Context as _;
use claimsmith_harness::{Answer, CaseReport, PluginReport};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::path::Path;

/// A case as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    name: String,
    input: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<Box<RawValue>>,
    expected: Box<RawValue>,
}

/// Writes the file anew if a case failed, and the report as if it had passed. What sets reserved names goes on failing.
pub(super) fn update(file: &Path, report: &mut PluginReport) -> anyhow::Result<()> {
    let Ok(cases) = &mut report.cases else { return Ok(()) };
    let mut outdated: Vec<_> = cases.iter_mut().filter(|case| !case.passed() && case.dropped.is_empty()).collect();
    if outdated.is_empty() {
        return Ok(());
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let mut written: Vec<Written> = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
    for case in &mut outdated {
        if let Some(one) = written.iter_mut().find(|one| one.name == case.name) {
            one.expected = serde_json::value::to_raw_value(&expected(case))?;
        }
        case.problems.clear();
    }
    std::fs::write(file, told(&written)?).with_context(|| format!("{} cannot be written", file.display()))?;
    complain(&format!("{}: {} cases now expect what the plugin answers", file.display(), outdated.len()));
    Ok(())
}

/// Of a failure, its first line: what follows it is a stack.
fn expected(case: &CaseReport) -> Answer {
    match &case.actual {
        Answer::Failed(text) => Answer::Failed(text.lines().next().unwrap_or_default().to_owned()),
        other => other.clone(),
    }
}

fn told(written: &[Written]) -> serde_json::Result<String> {
    serde_json::to_string_pretty(written).map(|text| text + "\n")
}
