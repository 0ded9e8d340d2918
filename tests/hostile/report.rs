//! The cost of the hostile corpus as a Markdown table, written to the folder `HOSTILE_REPORT`.

use claimsmith_test_support::Kind;
use std::path::Path;
use std::time::Duration;

/// A table that grows by a row an attack.
pub(crate) struct Report(String);

impl Report {
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self(format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len())))
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        self.0 += "| ";
        self.0 += &cells.join(" | ");
        self.0 += " |\n";
    }

    pub(crate) fn write(&self, name: &str, kind: Kind) {
        if let Ok(folder) = std::env::var("HOSTILE_REPORT") {
            std::fs::write(Path::new(&folder).join(format!("{name}-{kind:?}.md")), &self.0).unwrap();
        }
    }
}

/// The memory of a server, step by step.
pub(crate) struct Growth {
    first: u64,
    last: u64,
    jumps: Vec<String>,
}

impl Growth {
    /// Bytes of a step that are worth a line.
    const JUMP: u64 = 4 << 20;

    pub(crate) fn from(bytes: u64) -> Self {
        Self { first: bytes, last: bytes, jumps: Vec::new() }
    }

    /// Notes what the server holds after a step, and answers that for a cell.
    pub(crate) fn after(&mut self, step: &str, bytes: u64) -> String {
        let grown = bytes.saturating_sub(self.last);
        if grown >= Self::JUMP {
            self.jumps.push(format!("{step}: {}", mib(grown)));
        }
        self.last = bytes;
        mib(bytes)
    }

    /// Fails if the server grew by more than this, and says by which steps.
    pub(crate) fn check(&self, most: u64) {
        let grown = self.last.saturating_sub(self.first);
        assert!(grown <= most, "grown by {}, of that by {:#?}", mib(grown), self.jumps);
    }
}

/// Bytes for a cell.
pub(crate) fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// A time for a cell.
pub(crate) fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
