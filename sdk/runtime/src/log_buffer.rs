//! The log of one call, limited in bytes.

use crate::{Level, LogLine};

/// Bytes that a line counts beside its text, since what is stored around it is longer than many a text.
const LINE_OVERHEAD_BYTES: usize = 64;

pub(crate) struct LogBuffer {
    lines: Vec<LogLine>,
    limit: usize,
    used: usize,
    cut: bool,
}

impl LogBuffer {
    pub(crate) fn new(limit: usize) -> Self {
        Self { lines: Vec::new(), limit, used: 0, cut: false }
    }

    pub(crate) fn write(&mut self, level: Level, mut message: String) {
        if self.cut {
            return;
        }
        let left = self.limit.saturating_sub(self.used);
        if message.len() >= left {
            self.cut = true;
            message.truncate(message.floor_char_boundary(left));
            // Where a text was cut it says so: what is left of a secret there is masked as well.
            message.push('…');
        }
        self.used += message.len() + LINE_OVERHEAD_BYTES;
        self.lines.push(LogLine { level, message });
    }

    /// The lines, and a last one that says so if there were more.
    pub(crate) fn into_lines(mut self) -> Vec<LogLine> {
        if self.cut {
            let message = format!("the log was truncated here: a call may write {} bytes", self.limit);
            self.lines.push(LogLine { level: Level::Warn, message });
        }
        self.lines
    }
}
