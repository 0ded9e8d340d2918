//! What the commands print: answers to standard output, complaints to standard error.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

/// Prints a line to standard output. A reader that went away is no error.
pub(super) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints a line to standard error.
pub(super) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Tells a failure with its causes.
pub(super) fn fail(error: &anyhow::Error) -> ExitCode {
    let mut text = format!("claimsmith: {error}");
    for cause in error.chain().skip(1) {
        let _ = write!(text, ": {cause}");
    }
    complain(&text);
    ExitCode::FAILURE
}
