//! What the commands print: answers to standard output, complaints to standard error.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints a line to standard output. A reader that went away is no error.
pub fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// The same for output without an end, which is over when nobody reads it.
pub fn try_say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Prints a line to standard error.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Tells a failure with its causes.
#[must_use]
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let mut text = format!("claimsmith: {error}");
    for cause in error.chain().skip(1) {
        let _ = write!(text, ": {cause}");
    }
    complain(&text);
    ExitCode::FAILURE
}

/// What others wrote (a plugin, a server) must not steer the terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}
