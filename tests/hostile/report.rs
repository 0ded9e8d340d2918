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

/// A time for a cell.
pub(crate) fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
