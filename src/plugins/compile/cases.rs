//! Runs the golden cases of an upload; failing ones become findings.

use super::report::{Finding, FindingKind};
use claimsmith_harness::{Answer, Case, CaseReport, run_case};
use claimsmith_runtime::{Limits, Manifest, Plugin};
use serde_json::Value;

/// How many failing cases are reported in full.
const MAX_CASES_SHOWN: usize = 20;

/// Bytes of one expected or actual answer that are shown.
const MAX_ANSWER_BYTES: usize = 64 << 10;

/// Runs them all.
pub(super) async fn run(
    plugin: &Plugin,
    manifest: &Manifest,
    limits: &Limits,
    file: &str,
    cases: &[Case],
) -> Vec<Finding> {
    let (mut findings, mut untold) = (Vec::new(), 0_usize);
    for case in cases {
        let report = run_case(plugin, manifest, limits, case).await;
        if report.passed() {
            continue;
        }
        if findings.len() < MAX_CASES_SHOWN {
            findings.push(finding(file, report));
        } else {
            untold += 1;
        }
    }
    if untold > 0 {
        findings.push(Finding::new(FindingKind::Case, format!("{untold} more cases failed")));
    }
    findings
}

fn finding(file: &str, report: CaseReport) -> Finding {
    let mut message = report.problems.join("\n");
    if message.len() > MAX_ANSWER_BYTES {
        message.truncate(message.floor_char_boundary(MAX_ANSWER_BYTES));
        message.push('…');
    }
    Finding {
        file: Some(file.to_owned()),
        case: Some(report.name),
        expected: shown(&report.expected),
        actual: shown(&report.actual),
        ..Finding::new(FindingKind::Case, message)
    }
}

/// None for an answer that is too long to read.
fn shown(answer: &Answer) -> Option<Value> {
    let value = serde_json::to_value(answer).ok()?;
    (value.to_string().len() <= MAX_ANSWER_BYTES).then_some(value)
}
