//! Placeholder lists of SQL, whose length depends on the number of values. Only constants and counters enter the text.

use crate::{Dialect, Tx};
use std::fmt::Write;

/// `$FIRST, $FIRST+1, …`: `count` placeholders for an `IN (…)` list.
pub(crate) fn placeholders(first: usize, count: usize) -> String {
    let mut text = String::with_capacity(count * 5);
    for index in first..first + count {
        let separator = if index == first { "" } else { "," };
        // Writing into a String cannot fail.
        let _ = write!(text, "{separator}${index}");
    }
    text
}

/// `($1,$2),($3,$4),…`: `rows` groups of `columns` placeholders for a `VALUES` list.
pub(crate) fn rows(columns: usize, rows: usize) -> String {
    let groups: Vec<String> = (0..rows).map(|row| format!("({})", placeholders(row * columns + 1, columns))).collect();
    groups.join(",")
}

/// The placeholders of a statement with many values, in the order of its text.
///
/// On SQLite they are anonymous (`?`): a named one (`$1`) is searched among all others for each value.
pub(crate) struct Placeholders {
    dialect: Dialect,
    used: usize,
    condition: &'static str,
}

impl Placeholders {
    pub(crate) fn of(tx: &Tx) -> Self {
        Self::only_if(tx, "")
    }

    /// The same for a statement on PostgreSQL whose parts write only under a condition (` AND …`).
    pub(crate) fn only_if(tx: &Tx, condition: &'static str) -> Self {
        Self { dialect: tx.dialect(), used: 0, condition }
    }

    /// The SQL dialect.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The condition of all parts, for the end of a `WHERE` clause.
    pub(crate) fn condition(&self) -> &'static str {
        self.condition
    }

    /// The `INSERT` for a transaction that is rolled back if a row fails. SQLite then does not need a statement
    /// journal, which keeps copies of changed pages to undo only this statement.
    pub(crate) fn insert_or_give_up(&self) -> &'static str {
        match self.dialect {
            Dialect::Sqlite => "INSERT OR FAIL INTO",
            Dialect::Postgres => "INSERT INTO",
        }
    }

    /// The next `count`, separated by commas.
    pub(crate) fn list(&mut self, count: usize) -> String {
        self.used += count;
        match self.dialect {
            Dialect::Sqlite => vec!["?"; count].join(","),
            Dialect::Postgres => placeholders(self.used + 1 - count, count),
        }
    }

    /// The next `rows` groups of `columns`, for a `VALUES` list.
    pub(crate) fn rows(&mut self, columns: usize, rows: usize) -> String {
        let groups: Vec<String> = (0..rows).map(|_| format!("({})", self.list(columns))).collect();
        groups.join(",")
    }

    /// An `INSERT` of `count` rows, whose values are bound by `Stmt::bind_rows`. On PostgreSQL the text has the next
    /// power of two of rows, each with a further value that tells whether it counts: a connection prepares every text
    /// by itself, which takes longer than to insert the rows, and keeps few of them.
    pub(crate) fn insert(&mut self, table: &str, (names, columns): (&str, usize), count: usize) -> String {
        match self.dialect {
            Dialect::Sqlite => {
                format!("{} {table} ({names}) VALUES {}", self.insert_or_give_up(), self.rows(columns, count))
            }
            Dialect::Postgres => {
                let selected: Vec<String> = (1..=columns).map(|column| format!("v.column{column}")).collect();
                let rows = self.rows(columns + 1, count.next_power_of_two());
                format!(
                    "INSERT INTO {table} ({names}) SELECT {} FROM (VALUES {rows}) AS v WHERE v.column{}{}",
                    selected.join(", "),
                    columns + 1,
                    self.condition
                )
            }
        }
    }
}
