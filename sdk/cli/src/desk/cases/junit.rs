//! What came of golden cases, for machines that collect tests.

use anyhow::Context as _;
use claimsmith_harness::{CaseReport, PluginReport, Report};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::fs::File;
use std::path::Path;

/// A suite for each plugin.
pub(super) fn write(report: &Report, file: &Path) -> anyhow::Result<()> {
    let mut all = quick_junit::Report::new("claimsmith");
    all.add_test_suites(report.plugins.iter().map(suite));
    if !report.strays.is_empty() {
        let mut strays = TestSuite::new("case files without a plugin");
        strays.add_test_cases(report.strays.iter().map(|name| failed(name, "it belongs to no plugin", "")));
        all.add_test_suite(strays);
    }
    let shown = || format!("{} cannot be written", file.display());
    all.serialize(File::create(file).with_context(shown)?).with_context(shown)
}

fn suite(plugin: &PluginReport) -> TestSuite {
    let mut suite = TestSuite::new(plugin.name.as_str());
    match &plugin.cases {
        Ok(cases) => suite.add_test_cases(cases.iter().map(case)),
        Err(error) => suite.add_test_case(failed(&plugin.name, "it cannot be tested", error)),
    };
    suite
}

fn case(case: &CaseReport) -> TestCase {
    let mut written = if case.passed() {
        TestCase::new(case.name.as_str(), TestCaseStatus::success())
    } else {
        failed(&case.name, "it answered something else", &case.problems.join("\n"))
    };
    written.set_time(case.duration);
    if !case.logs.is_empty() {
        let lines = case.logs.iter().map(|line| format!("{:?}: {}", line.level, line.message));
        written.set_system_out(lines.collect::<Vec<_>>().join("\n"));
    }
    written
}

fn failed(name: &str, message: &str, description: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message).set_description(description);
    TestCase::new(name, status)
}
