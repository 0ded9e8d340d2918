//! Parts of SQL that depend on how many values there are. Only constants and counters enter the text.

use super::{Dialect, Stmt, Tx};
use std::fmt::Write;

/// `$FIRST, $FIRST+1, …`: `count` placeholders for an `IN (…)` list.
pub(super) fn placeholders(first: usize, count: usize) -> String {
    let mut text = String::with_capacity(count * 5);
    for index in first..first + count {
        let separator = if index == first { "" } else { "," };
        // Writing into a String cannot fail.
        let _ = write!(text, "{separator}${index}");
    }
    text
}

/// `($1,$2),($3,$4),…`: `rows` groups of `columns` placeholders for a `VALUES` list.
pub(super) fn rows(columns: usize, rows: usize) -> String {
    let groups: Vec<String> = (0..rows).map(|row| format!("({})", placeholders(row * columns + 1, columns))).collect();
    groups.join(",")
}

/// The placeholders of a statement with many values, in the order in which they stand in its text.
///
/// On SQLite they have no names: one that has is found by walking past all others, for each value anew.
pub(super) struct Placeholders {
    dialect: Dialect,
    used: usize,
}

impl Placeholders {
    pub(super) fn of(tx: &Tx) -> Self {
        Self { dialect: tx.dialect(), used: 0 }
    }

    /// The next `count`, separated by commas.
    pub(super) fn list(&mut self, count: usize) -> String {
        self.used += count;
        match self.dialect {
            Dialect::Sqlite => vec!["?"; count].join(","),
            Dialect::Postgres => placeholders(self.used + 1 - count, count),
        }
    }

    /// The next `rows` groups of `columns`, for a `VALUES` list.
    pub(super) fn rows(&mut self, columns: usize, rows: usize) -> String {
        let groups: Vec<String> = (0..rows).map(|_| format!("({})", self.list(columns))).collect();
        groups.join(",")
    }
}

/// The conditions of a list, which all hold, with the values that they compare to.
#[derive(Default)]
pub(super) struct Conditions {
    text: String,
    values: Vec<String>,
}

impl Conditions {
    /// Adds a condition: placeholders for the values stand between `before` and `after`, which are constant.
    pub(super) fn add<'v>(&mut self, before: &str, values: impl IntoIterator<Item = &'v str>, after: &str) {
        let first = self.next();
        self.values.extend(values.into_iter().map(str::to_owned));
        let separator = if self.text.is_empty() { " WHERE" } else { " AND" };
        let list = placeholders(first, self.next() - first);
        // Writing into a String cannot fail.
        let _ = write!(self.text, "{separator} {before}{list}{after}");
    }

    /// ` WHERE …`; nothing when there is no condition.
    pub(super) fn clause(&self) -> &str {
        &self.text
    }

    /// The number of the placeholder behind those of the conditions.
    pub(super) fn next(&self) -> usize {
        self.values.len() + 1
    }

    /// Binds the values, which come before all others.
    pub(super) fn bind<'t>(&self, statement: Stmt<'t>) -> Stmt<'t> {
        self.values.iter().fold(statement, Stmt::bind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_count_their_placeholders() {
        let mut conditions = Conditions::default();
        assert_eq!((conditions.clause(), conditions.next()), ("", 1));
        conditions.add("is_default", [], "");
        conditions.add("type IN (", ["a", "b"], ")");
        conditions.add("id <> ", ["c"], "");
        assert_eq!(conditions.clause(), " WHERE is_default AND type IN ($1,$2) AND id <> $3");
        assert_eq!(conditions.next(), 4);
    }
}
