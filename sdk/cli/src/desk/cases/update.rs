//! `--update`: writes a plugin's answers into its failing cases as the expected ones. The rest of the file stays as the
//! author wrote it.

use crate::terminal::print_error;
use anyhow::Context as _;
use claimsmith_harness::{CaseAnswer, CaseReport, PluginReport};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::path::Path;

/// A case as it is written.
#[derive(Serialize, Deserialize)]
struct CaseFile {
    name: String,
    input: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<Box<RawValue>>,
    expected: Box<RawValue>,
}

/// Rewrites the file if a case failed, and marks it as passed in the report. Cases that set reserved names still fail.
pub(super) fn update(file: &Path, report: &mut PluginReport) -> anyhow::Result<()> {
    let Ok(cases) = &mut report.cases else { return Ok(()) };
    let mut outdated: Vec<_> = cases.iter_mut().filter(|case| !case.passed() && case.dropped.is_empty()).collect();
    if outdated.is_empty() {
        return Ok(());
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let mut written: Vec<CaseFile> = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
    for case in &mut outdated {
        if let Some(one) = written.iter_mut().find(|one| one.name == case.name) {
            one.expected = serde_json::value::to_raw_value(&expected(case))?;
        }
        case.problems.clear();
    }
    std::fs::write(file, rendered(&written)?).with_context(|| format!("{} cannot be written", file.display()))?;
    print_error(&format!("{}: {} cases now expect what the plugin answers", file.display(), outdated.len()));
    Ok(())
}

/// For a failure its first line, since a stack trace follows.
fn expected(case: &CaseReport) -> CaseAnswer {
    match &case.actual {
        CaseAnswer::Failed(text) => CaseAnswer::Failed(text.lines().next().unwrap_or_default().to_owned()),
        other => other.clone(),
    }
}

fn rendered(written: &[CaseFile]) -> serde_json::Result<String> {
    serde_json::to_string_pretty(written).map(|text| text + "\n")
}
