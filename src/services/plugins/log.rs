//! Writes plugin log lines to the server's log and to the plugin log, with secrets masked, and with the plugin and
//! request.

use super::{log_budget::LogBudget, metrics, registry::RegistryEntry};
use claimsmith_runtime::{CallError, Level, LogLine};
use std::{borrow::Cow, fmt::Write, sync::Arc};
use tokio::sync::mpsc;

/// A line that a plugin wrote, masked.
#[derive(Clone, Debug)]
pub struct PluginLine {
    /// Who wrote it.
    pub plugin: Arc<str>,
    /// Its level.
    pub level: Level,
    /// The text.
    pub message: String,
    /// The request during which it was written.
    pub request_id: Option<String>,
    /// `sha256:…` of the version that wrote it.
    pub digest: Arc<str>,
}

/// Who writes.
pub(super) struct LogWriter<'a> {
    pub(super) plugin: &'a Arc<str>,
    pub(super) digest: &'a Arc<str>,
    pub(super) request_id: Option<&'a str>,
    /// Masks what must not be readable in the log.
    pub(super) mask: &'a (dyn for<'t> Fn(&'t str) -> Cow<'t, str> + Sync),
    pub(super) budget: &'a LogBudget,
    /// The queue of the plugin log. If it is full, lines are dropped: no token and no delivery waits for the log.
    pub(super) kept: Option<&'a mpsc::Sender<PluginLine>>,
}

/// Puts the lines of one call into the log.
pub(super) fn forward(writer: &LogWriter<'_>, lines: &[LogLine]) {
    let LogWriter { plugin, request_id, mask, .. } = *writer;
    for LogLine { level, message } in lines {
        if !has_room(writer, message.len()) {
            continue;
        }
        let plugin = &**plugin;
        let message = mask(message);
        keep(writer, *level, &message);
        // A message is written as it is; the subscriber escapes fields.
        let text = escape(&message).into_owned();
        match level {
            Level::Debug => tracing::debug!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
            Level::Info => tracing::info!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
            Level::Warn => tracing::warn!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
            Level::Error => tracing::error!(target: "claimsmith::plugin", plugin, request_id, "{text}"),
        }
    }
}

/// Whether the rate limit allows a line of this length. The first allowed line reports how many were dropped before.
fn has_room(writer: &LogWriter<'_>, length: usize) -> bool {
    let LogWriter { plugin, request_id, .. } = *writer;
    match writer.budget.take(length) {
        Some(0) => true,
        Some(dropped) => {
            let text = format!("{dropped} lines before this one were dropped: a plugin may write 64 KiB a second");
            keep(writer, Level::Warn, &text);
            tracing::warn!(target: "claimsmith::plugin", plugin = &**plugin, request_id, "{text}");
            true
        }
        None => {
            metrics::line_lost(plugin);
            false
        }
    }
}

/// Logs a failed call of the version with this hash, in the plugin's log and in the server's.
pub(super) fn failed(
    entry: &RegistryEntry,
    digest: Option<&Arc<str>>,
    request_id: Option<&str>,
    kept: Option<&mpsc::Sender<PluginLine>>,
    error: &CallError,
) {
    failed_masked((entry, digest), request_id, kept, error, &|text| entry.masked(text));
}

/// The same for an error that may repeat secrets which only `mask` knows.
pub(super) fn failed_masked(
    (entry, digest): (&RegistryEntry, Option<&Arc<str>>),
    request_id: Option<&str>,
    kept: Option<&mpsc::Sender<PluginLine>>,
    error: &CallError,
    mask: &(dyn for<'t> Fn(&'t str) -> Cow<'t, str> + Sync),
) {
    let text = error.to_string();
    let text = mask(&text);
    if let Some(digest) = digest {
        let writer = LogWriter { plugin: &entry.name, digest, request_id, mask, budget: &entry.statistics.log, kept };
        if !has_room(&writer, text.len()) {
            return;
        }
        keep(&writer, Level::Error, &text);
    }
    tracing::warn!(
        target: "claimsmith::plugin",
        plugin = &*entry.name,
        request_id,
        outcome = error.outcome(),
        error = &*text,
        "plugin failed",
    );
}

/// Queues a masked line for the plugin log.
fn keep(writer: &LogWriter<'_>, level: Level, message: &str) {
    let Some(kept) = writer.kept else { return };
    let line = PluginLine {
        plugin: Arc::clone(writer.plugin),
        level,
        // PostgreSQL keeps no NUL.
        message: message.replace('\0', "\u{fffd}"),
        request_id: writer.request_id.map(str::to_owned),
        digest: Arc::clone(writer.digest),
    };
    if kept.try_send(line).is_err() {
        metrics::line_lost(writer.plugin);
    }
}

/// The text in one line, without characters that move a terminal's cursor or reverse the direction of text.
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
