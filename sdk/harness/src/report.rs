//! The results of golden cases.

use crate::CaseAnswer;
use claimsmith_runtime::LogLine;
use std::time::Duration;

/// The results of the cases of a folder.
#[derive(Debug, Default)]
pub struct Report {
    /// By name.
    pub plugins: Vec<PluginReport>,
    /// Files of cases without a plugin beside them, so that they do not run.
    pub orphans: Vec<String>,
}

/// The results of the cases of one plugin.
#[derive(Debug)]
pub struct PluginReport {
    /// Its name.
    pub name: String,
    /// Its cases in the file's order, none when it has no file of cases; or why it does not load.
    pub cases: Result<Vec<CaseReport>, String>,
}

/// The result of one case.
#[derive(Debug)]
pub struct CaseReport {
    /// The case's name.
    pub name: String,
    /// What the plugin had to answer.
    pub expected: CaseAnswer,
    /// What it answered, reserved claims left out.
    pub actual: CaseAnswer,
    /// What is wrong, as messages; empty when the case passed.
    pub problems: Vec<String>,
    /// `ok`, or how it failed, as [`claimsmith_runtime::CallError::outcome`].
    pub outcome: &'static str,
    /// Reserved claims or headers that it tried to set.
    pub dropped: Vec<String>,
    /// What the plugin wrote.
    pub logs: Vec<LogLine>,
    /// Wall-clock time of the call.
    pub duration: Duration,
    /// Most bytes of memory that were in use at one time.
    pub peak_memory: usize,
    /// Instructions that it executed, where they are counted ([`crate::HarnessOptions::metered`]).
    pub instructions: Option<u64>,
}

impl Report {
    /// Whether every plugin loads, every case passed and no file of cases was left over.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.orphans.is_empty() && self.plugins.iter().all(PluginReport::passed)
    }
}

impl PluginReport {
    /// Whether it loads and every case passed. A plugin without cases passes.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.cases.as_ref().is_ok_and(|cases| cases.iter().all(CaseReport::passed))
    }
}

impl CaseReport {
    /// Whether the plugin answered as expected.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}
