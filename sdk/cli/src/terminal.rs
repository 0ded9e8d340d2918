//! Output of the commands: results on standard output, messages and errors on standard error.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The file name by which this program was called: what to type to run it again.
#[must_use]
pub fn program() -> String {
    let path = env::args_os().next().unwrap_or_default();
    let name = Path::new(&path).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "claimsmith".to_owned())
}

/// Prints a line to standard output. A reader that went away is no error.
pub fn print_line(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// The same for endless output: fails when the reader is gone.
pub fn try_print_line(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Prints a line to standard error.
pub fn print_error(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints an error with its causes.
#[must_use]
pub fn print_failure(error: &anyhow::Error) -> ExitCode {
    let mut text = format!("claimsmith: {error}");
    for cause in error.chain().skip(1) {
        let _ = write!(text, ": {cause}");
    }
    print_error(&text);
    ExitCode::FAILURE
}

/// Escapes control characters in texts from plugins and servers (terminal injection).
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
