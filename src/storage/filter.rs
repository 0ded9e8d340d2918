//! Parts of SQL that depend on how many values there are. Only constants and counters enter the text.

use super::slice::Slice;
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

/// The conditions of a list, of which some are there only when they are asked for: an index serves those that are.
pub(super) struct OptionalConditions {
    text: String,
    values: Vec<Value>,
}

enum Value {
    Text(String),
    Number(i64),
}

impl OptionalConditions {
    /// Begins with what every entry of the list meets.
    pub(super) fn new(always: &'static str) -> Self {
        Self { text: always.to_owned(), values: Vec::new() }
    }

    /// Adds a condition without a value.
    pub(super) fn and(mut self, condition: &'static str) -> Self {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
        self
    }

    /// Adds a condition, in which `?` stands for the text, if there is one.
    pub(super) fn text(self, condition: &'static str, value: Option<&str>) -> Self {
        self.with(condition, value.map(|value| Value::Text(value.to_owned())))
    }

    /// Adds a condition, in which `?` stands for the number, if there is one.
    pub(super) fn number(self, condition: &'static str, value: Option<i64>) -> Self {
        self.with(condition, value.map(Value::Number))
    }

    fn with(mut self, condition: &'static str, value: Option<Value>) -> Self {
        let Some(value) = value else { return self };
        self.values.push(value);
        let condition = condition.replace('?', &format!("${}", self.values.len()));
        self.text.push_str(" AND ");
        self.text.push_str(&condition);
        self
    }

    /// `head WHERE … tail LIMIT … OFFSET …`, with all values bound.
    pub(super) fn list<'t>(&self, tx: &'t mut Tx, head: &str, order: &'static str, slice: Slice) -> Stmt<'t> {
        let next = self.values.len() + 1;
        let sql = format!("{head} WHERE {} ORDER BY {order} LIMIT ${next} OFFSET ${}", self.text, next + 1);
        self.bind(tx.assembled(sql)).bind(slice.limit).bind(slice.offset)
    }

    /// How many rows of `table` meet the conditions, counted to `most` and no further.
    pub(super) fn count<'t>(&self, tx: &'t mut Tx, table: &'static str, most: i64) -> Stmt<'t> {
        let rows = format!("SELECT 1 AS one FROM {table} WHERE {} LIMIT ${}", self.text, self.values.len() + 1);
        self.bind(tx.assembled(format!("SELECT COUNT(*) AS count FROM ({rows}) AS counted"))).bind(most)
    }

    fn bind<'t>(&self, statement: Stmt<'t>) -> Stmt<'t> {
        self.values.iter().fold(statement, |statement, value| match value {
            Value::Text(text) => statement.bind(text),
            Value::Number(number) => statement.bind(*number),
        })
    }
}
