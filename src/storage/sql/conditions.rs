//! The optional conditions of a list query, written so that an index serves them. Only column names, counters and
//! constants enter the SQL text; values are bound.

use super::containing;
use super::slice::{Count, Slice};
use crate::{Dialect, Result, Stmt, Tx};

/// Conditions with their values, for a `WHERE` clause.
pub(crate) struct Conditions {
    pub(crate) table: &'static str,
    pub(crate) dialect: Dialect,
    /// Joined by `AND`.
    parts: Vec<String>,
    values: Vec<BoundValue>,
    /// Whether there is a search, which runs on separate connections.
    pub(crate) searches: bool,
}

enum BoundValue {
    Text(String),
    Number(i64),
}

impl Conditions {
    /// Without conditions.
    pub(crate) fn on(table: &'static str, tx: &Tx) -> Self {
        Self { table, dialect: tx.dialect(), parts: Vec::new(), values: Vec::new(), searches: false }
    }

    /// Adds a condition without a value.
    pub(crate) fn holds(&mut self, condition: impl Into<String>) {
        self.parts.push(condition.into());
    }

    /// Adds a condition with `?` for the text, if there is one.
    pub(crate) fn text(&mut self, condition: &str, value: Option<&str>) {
        if let Some(value) = value {
            let place = self.bind_text(value.to_owned());
            self.parts.push(condition.replace('?', &place));
        }
    }

    /// Adds a condition with `?` for the pattern of a substring, if there is one.
    pub(crate) fn part(&mut self, condition: &str, part: Option<&str>) {
        self.searches |= part.is_some();
        self.text(condition, part.map(containing::pattern).as_deref());
    }

    /// Adds a condition with `?` for the number, if there is one.
    pub(crate) fn number(&mut self, condition: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.values.push(BoundValue::Number(value));
            self.parts.push(condition.replace('?', &format!("${}", self.values.len())));
        }
    }

    /// Adds the condition that a column has one of these values.
    pub(crate) fn one_of(&mut self, column: &str, values: &[String]) {
        let places: Vec<String> = values.iter().map(|value| self.bind_text(value.clone())).collect();
        self.parts.push(format!("{column} IN ({})", places.join(",")));
    }

    /// Adds a value, and returns its placeholder.
    pub(crate) fn bind_text(&mut self, value: String) -> String {
        self.values.push(BoundValue::Text(value));
        format!("${}", self.values.len())
    }

    /// ` WHERE …`, or nothing.
    pub(crate) fn sql(&self) -> String {
        if self.parts.is_empty() { String::new() } else { format!(" WHERE {}", self.parts.join(" AND ")) }
    }

    /// ` AND …`, or nothing.
    pub(crate) fn further(&self) -> String {
        if self.parts.is_empty() { String::new() } else { format!(" AND {}", self.parts.join(" AND ")) }
    }

    /// A placeholder after all of these, counted from 0.
    pub(crate) fn next(&self, index: usize) -> String {
        format!("${}", self.values.len() + 1 + index)
    }

    /// Binds the values in order.
    pub(crate) fn bind_to<'t>(&self, statement: Stmt<'t>) -> Stmt<'t> {
        let statement = if self.searches { statement.searching() } else { statement };
        self.values.iter().fold(statement, |statement, value| match value {
            BoundValue::Text(text) => statement.bind(text),
            BoundValue::Number(number) => statement.bind(*number),
        })
    }

    /// Selects these columns of a slice of the rows, in this order.
    pub(crate) fn list<'t>(&self, tx: &'t mut Tx, columns: &str, order: &str, slice: Slice) -> Stmt<'t> {
        let (table, conditions, limit, offset) = (self.table, self.sql(), self.next(0), self.next(1));
        let sql = format!("SELECT {columns} FROM {table}{conditions} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
        self.bind_to(tx.assembled(sql)).bind(slice.limit).bind(slice.offset)
    }

    /// The number of rows.
    pub(crate) async fn count(&self, tx: &mut Tx) -> Result<i64> {
        let sql = format!("SELECT COUNT(*) AS count FROM {}{}", self.table, self.sql());
        Ok(self.bind_to(tx.assembled(sql)).one::<Count>().await?.count)
    }

    /// The number of rows, at most `most`.
    pub(crate) async fn count_to(&self, tx: &mut Tx, most: i64) -> Result<i64> {
        let rows = format!("SELECT 1 AS one FROM {}{} LIMIT {}", self.table, self.sql(), self.next(0));
        let statement = tx.assembled(format!("SELECT COUNT(*) AS count FROM ({rows}) AS counted"));
        Ok(self.bind_to(statement).bind(most).one::<Count>().await?.count)
    }
}
