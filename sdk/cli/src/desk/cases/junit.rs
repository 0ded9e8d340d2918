//! Writes the results of golden cases as `JUnit` XML.

use anyhow::Context as _;
use claimsmith_harness::{CaseReport, PluginReport, Report};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::fs::File;
use std::path::Path;

/// A suite for each plugin.
pub(super) fn write(report: &Report, file: &Path) -> anyhow::Result<()> {
    let mut all = quick_junit::Report::new("claimsmith");
    all.add_test_suites(report.plugins.iter().map(suite));
    if !report.orphans.is_empty() {
        let mut orphans = TestSuite::new("case files without a plugin");
        orphans.add_test_cases(report.orphans.iter().map(|name| failed(name, "no plugin has this name", "")));
        all.add_test_suite(orphans);
    }
    let shown = || format!("{} cannot be written", file.display());
    all.serialize(File::create(file).with_context(shown)?).with_context(shown)
}

fn suite(plugin: &PluginReport) -> TestSuite {
    let mut suite = TestSuite::new(plugin.name.as_str());
    match &plugin.cases {
        Ok(cases) => suite.add_test_cases(cases.iter().map(case)),
        Err(error) => suite.add_test_case(failed(&plugin.name, "the plugin cannot be tested", error)),
    };
    suite
}

fn case(case: &CaseReport) -> TestCase {
    let mut written = if case.passed() {
        TestCase::new(case.name.as_str(), TestCaseStatus::success())
    } else {
        failed(&case.name, "the answer is not as expected", &case.problems.join("\n"))
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
