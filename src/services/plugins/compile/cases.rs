//! Runs the golden cases of an upload; failing ones become findings.

use super::{
    job::UploadedText,
    report::{CaseResult, Finding, FindingKind},
};
use claimsmith_harness::{Case, CaseAnswer, CaseReport, case_lines, run_case};
use claimsmith_runtime::{Limits, LogLine, Manifest, Plugin};
use serde_json::Value;

/// How many failing cases are reported in full.
const MAX_CASES_SHOWN: usize = 20;

/// How many results are reported.
const MAX_RESULTS: usize = 1000;

/// Bytes of one expected or actual answer that are shown.
const MAX_ANSWER_BYTES: usize = 64 << 10;

/// Bytes of all answers and logs of the results together: a report is read into the server's memory.
const MAX_DETAIL_BYTES: usize = 2 << 20;

/// The results of the cases.
pub(super) struct CasesReport {
    /// What is wrong.
    pub(super) findings: Vec<Finding>,
    /// Each case, also those that passed.
    pub(super) results: Vec<CaseResult>,
}

/// Runs them all.
pub(super) async fn run(
    plugin: &Plugin,
    manifest: &Manifest,
    limits: &Limits,
    UploadedText { file, text }: &UploadedText,
    cases: &[Case],
) -> CasesReport {
    let (mut findings, mut results, mut untold) = (Vec::new(), Vec::new(), 0_usize);
    let lines = case_lines(text);
    let mut detail = MAX_DETAIL_BYTES;
    for (index, case) in cases.iter().enumerate() {
        let report = run_case(plugin, manifest, limits, case).await;
        let line = lines.get(index).copied();
        if results.len() < MAX_RESULTS {
            results.push(result(&report, line, &mut detail));
        }
        if report.passed() {
            continue;
        }
        if findings.len() < MAX_CASES_SHOWN {
            findings.push(finding(file, line, &report));
        } else {
            untold += 1;
        }
    }
    if untold > 0 {
        findings.push(Finding::new(FindingKind::Case, format!("{untold} more cases failed")));
    }
    CasesReport { findings, results }
}

/// `detail`: the remaining bytes for optional details.
fn result(report: &CaseReport, line: Option<u32>, detail: &mut usize) -> CaseResult {
    let mut told = CaseResult {
        name: report.name.clone(),
        line,
        passed: report.passed(),
        expected: None,
        got: None,
        message: None,
        outcome: report.outcome.to_owned(),
        dropped: Vec::new(),
        logs: Vec::new(),
        duration_us: u64::try_from(report.duration.as_micros()).unwrap_or(u64::MAX),
        instructions: report.instructions,
    };
    let (expected, got) = (shown(&report.expected), shown(&report.actual));
    let length = |answer: &Option<Value>| answer.as_ref().map_or(0, |answer| answer.to_string().len());
    let logs: usize = report.logs.iter().map(|LogLine { message, .. }| message.len() + 32).sum();
    let dropped: usize = report.dropped.iter().map(String::len).sum();
    let message = (!report.passed()).then(|| message_of(report));
    let size = length(&expected) + length(&got) + logs + dropped + message.as_ref().map_or(0, String::len);
    if let Some(left) = detail.checked_sub(size) {
        *detail = left;
        (told.expected, told.got, told.message) = (expected, got, message);
        told.dropped.clone_from(&report.dropped);
        told.logs = report.logs.iter().filter_map(|line| serde_json::to_value(line).ok()).collect();
    }
    told
}

fn finding(file: &str, line: Option<u32>, report: &CaseReport) -> Finding {
    Finding {
        file: Some(file.to_owned()),
        line,
        expected: shown(&report.expected),
        actual: shown(&report.actual),
        case: Some(report.name.clone()),
        ..Finding::new(FindingKind::Case, message_of(report))
    }
}

fn message_of(report: &CaseReport) -> String {
    let mut message = report.problems.join("\n");
    if message.len() > MAX_ANSWER_BYTES {
        message.truncate(message.floor_char_boundary(MAX_ANSWER_BYTES));
        message.push('…');
    }
    message
}

/// `None` for an answer that is too long to read.
fn shown(answer: &CaseAnswer) -> Option<Value> {
    let value = serde_json::to_value(answer).ok()?;
    (value.to_string().len() <= MAX_ANSWER_BYTES).then_some(value)
}
