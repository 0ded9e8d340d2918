//! The exit code and output of a command.

use serde_json::Value;
use std::process::Output;

/// The end of a command.
#[derive(Debug)]
pub struct CommandOutput {
    /// Its exit code; none after a signal.
    pub code: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

#[expect(clippy::must_use_candidate, reason = "many tests want the assertion alone")]
impl CommandOutput {
    /// Asserts that it went well, and answers standard output.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    /// Asserts the exit code, and answers standard error.
    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self.stderr
    }

    /// Asserts that it went well, and answers the JSON that it printed.
    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }
}

impl From<Output> for CommandOutput {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }
}
