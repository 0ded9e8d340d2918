//! What plugins write, put into the server's log: masked, escaped, and marked with who wrote it for which request.

use claimsmith_runtime::{Level, LogLine, Secrets};
use std::{borrow::Cow, fmt::Write};

/// Puts the lines of one call into the log.
pub(super) fn forward(plugin: &str, request_id: Option<&str>, secrets: &Secrets, lines: &[LogLine]) {
    for LogLine { level, message } in lines {
        // A message is written as it is; fields are escaped by whatever writes them.
        let text = escape(&secrets.mask(message)).into_owned();
        match level {
            Level::Debug => tracing::debug!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
            Level::Info => tracing::info!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
            Level::Warn => tracing::warn!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
            Level::Error => tracing::error!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
        }
    }
}

/// The text in one line, without anything that moves a terminal's cursor or the order of what is read.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "{}", c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Control characters, line and paragraph separators, and the marks that reverse the direction of text.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(escape("one\nINFO forged"), "one\\nINFO forged");
        assert_eq!(escape("\u{1b}[2J\u{202e}x\0"), "\\u{1b}[2J\\u{202e}x\\u{0}");
        assert_eq!(escape("größe ✓ \"quoted\""), "größe ✓ \"quoted\"");
    }
}
