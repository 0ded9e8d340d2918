//! What `claimsmith doctor` found: a line for each check, or JSON, and the exit code.

use claimsmith_cli::terminal::{print_line, printable};
use serde::Serialize;
use serde_json::json;
use std::process::ExitCode;

/// How a check ended, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// It does not apply here.
    Skipped,
    /// Nothing is wrong.
    Ok,
    /// It works, and should be changed.
    Warning,
    /// Something does not work, or not safely.
    Fault,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Self::Skipped => "SKIPPED",
            Self::Ok => "OK",
            Self::Warning => "WARNING",
            Self::Fault => "FAULT",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// The name of the check.
    pub(super) check: &'static str,
    /// How it ended.
    pub(super) status: Status,
    /// What was found, and what to do about it.
    pub(super) message: String,
    /// The objects that it is about, one line each.
    pub(super) details: Vec<String>,
}

impl Finding {
    pub(super) fn new(check: &'static str, status: Status, message: impl Into<String>) -> Self {
        Self { check, status, message: message.into(), details: Vec::new() }
    }

    pub(super) fn with(self, details: Vec<String>) -> Self {
        Self { details, ..self }
    }
}

/// Prints the findings, and returns the exit code: 0 if nothing is wrong, 1 for warnings, 2 for faults.
pub(super) fn print(findings: &[Finding], as_json: bool) -> ExitCode {
    let worst = findings.iter().map(|finding| finding.status).max().unwrap_or(Status::Ok).max(Status::Ok);
    if as_json {
        print_line(&json!({ "status": worst, "checks": findings }).to_string());
    } else {
        for finding in findings {
            let Finding { check, status, message, details } = finding;
            print_line(&format!("{:<8} {check:<12} {}", status.word(), printable(message)));
            for detail in details {
                print_line(&format!("           {}", printable(detail)));
            }
        }
    }
    match worst {
        Status::Skipped | Status::Ok => ExitCode::SUCCESS,
        Status::Warning => ExitCode::from(1),
        Status::Fault => ExitCode::from(2),
    }
}
