//! A search as SQL. Only names of columns, counters and constants enter the text; what is searched for is bound.
//!
//! A term that is a prefix or a whole text uses its columns' indexes, column by column: one `OR` over several columns
//! would make SQLite read the table.

use super::{Dialect, Stmt};
use crate::domain::fold::fold;
use crate::domain::search::{Mode, Search, Term, literal_prefix, to_glob, to_regex};

/// A column that can be searched.
pub(super) struct Column {
    /// The field's name on the wire.
    pub(super) field: &'static str,
    /// The column.
    pub(super) name: &'static str,
    /// A column with the same, folded, and an index; the column itself where it holds lower case alone.
    pub(super) folded: Option<&'static str>,
}

/// Conditions with their values, to stand behind `WHERE`.
pub(super) struct Conditions {
    table: &'static str,
    dialect: Dialect,
    /// Joined by `AND`.
    parts: Vec<String>,
    values: Vec<String>,
}

/// One comparison.
struct Comparison {
    sql: String,
    /// Whether an index finds it.
    indexed: bool,
}

impl Conditions {
    /// None yet. The table has a primary key `id`.
    pub(super) fn on(table: &'static str, dialect: Dialect) -> Self {
        Self { table, dialect, parts: Vec::new(), values: Vec::new() }
    }

    /// Adds a condition with one value, which stands for `{}` in the text.
    pub(super) fn and(&mut self, text: &str, value: &str) {
        let place = self.bind(value.to_owned());
        self.parts.push(text.replace("{}", &place));
    }

    /// Adds that a column has one of these values.
    pub(super) fn one_of(&mut self, column: &str, values: &[String]) {
        let places: Vec<String> = values.iter().map(|value| self.bind(value.clone())).collect();
        self.parts.push(format!("{column} IN ({})", places.join(",")));
    }

    /// Adds a condition without a value.
    pub(super) fn holds(&mut self, text: &str) {
        self.parts.push(text.to_owned());
    }

    /// Adds what is searched for.
    pub(super) fn search(&mut self, search: &Search, columns: &[Column]) {
        let terms: Vec<String> = search
            .terms
            .iter()
            .map(|term| {
                let comparisons = self.term(term, columns, search.case_sensitive);
                self.any(&comparisons)
            })
            .collect();
        let joint = if search.all { " AND " } else { " OR " };
        self.parts.push(format!("({})", terms.join(joint)));
    }

    /// ` WHERE …`, or nothing.
    pub(super) fn sql(&self) -> String {
        if self.parts.is_empty() { String::new() } else { format!(" WHERE {}", self.parts.join(" AND ")) }
    }

    /// The placeholder that follows all of these, counted from 0.
    pub(super) fn next(&self, index: usize) -> String {
        format!("${}", self.values.len() + 1 + index)
    }

    /// Binds the values, in their order.
    pub(super) fn bind_to<'t>(&self, statement: Stmt<'t>) -> Stmt<'t> {
        self.values.iter().fold(statement, Stmt::bind)
    }

    fn bind(&mut self, value: String) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    fn any(&self, comparisons: &[Comparison]) -> String {
        let texts: Vec<&str> = comparisons.iter().map(|one| one.sql.as_str()).collect();
        if comparisons.len() > 1 && comparisons.iter().all(|one| one.indexed) {
            let table = self.table;
            let queries: Vec<String> =
                texts.iter().map(|text| format!("SELECT id FROM {table} WHERE {text}")).collect();
            return format!("id IN ({})", queries.join(" UNION "));
        }
        format!("({})", texts.join(" OR "))
    }

    fn term(&mut self, term: &Term, columns: &[Column], case_sensitive: bool) -> Vec<Comparison> {
        let mut comparisons = Vec::new();
        for column in columns.iter().filter(|column| term.fields.contains(&column.field)) {
            for value in &term.values {
                comparisons.push(self.comparison(column, term.mode, value, case_sensitive));
            }
        }
        comparisons
    }

    fn comparison(&mut self, column: &Column, mode: Mode, value: &str, case_sensitive: bool) -> Comparison {
        let as_it_is = column.name;
        let folded = column.folded.map_or_else(|| format!("LOWER({as_it_is})"), str::to_owned);
        let unindexed = |sql| Comparison { sql, indexed: false };
        match (mode, case_sensitive, self.dialect) {
            (Mode::Exact, true, _) => {
                let place = self.bind(value.to_owned());
                unindexed(format!("{as_it_is} = {place}"))
            }
            (Mode::Exact, false, _) => {
                let place = self.bind(fold(value));
                Comparison { sql: format!("{folded} = {place}"), indexed: column.folded.is_some() }
            }
            (Mode::Like, true, Dialect::Sqlite) => {
                let place = self.bind(to_glob(value));
                unindexed(format!("{as_it_is} GLOB {place}"))
            }
            (Mode::Like, true, Dialect::Postgres) => {
                let place = self.bind(value.to_owned());
                unindexed(format!("{as_it_is} LIKE {place}"))
            }
            (Mode::Like, false, _) => self.like(&folded, &fold(value), column.folded.is_some()),
            (Mode::SimilarTo, _, Dialect::Sqlite) => {
                let place = self.bind(to_regex(value));
                unindexed(format!("{as_it_is} REGEXP {place}"))
            }
            (Mode::SimilarTo, _, Dialect::Postgres) => {
                let place = self.bind(value.to_owned());
                unindexed(format!("{as_it_is} SIMILAR TO {place}"))
            }
            (Mode::Posix, _, Dialect::Sqlite) => {
                let flags = if case_sensitive { "" } else { "(?i)" };
                let place = self.bind(format!("{flags}{value}"));
                unindexed(format!("{as_it_is} REGEXP {place}"))
            }
            (Mode::Posix, _, Dialect::Postgres) => {
                let operator = if case_sensitive { "~" } else { "~*" };
                let place = self.bind(value.to_owned());
                unindexed(format!("{as_it_is} {operator} {place}"))
            }
        }
    }

    /// On PostgreSQL the index knows patterns; SQLite's is asked for the range of the prefix.
    fn like(&mut self, column: &str, pattern: &str, has_index: bool) -> Comparison {
        let place = self.bind(pattern.to_owned());
        let prefix = literal_prefix(pattern);
        let indexed = has_index && !prefix.is_empty();
        let sql = match self.dialect {
            Dialect::Postgres => format!("{column} LIKE {place}"),
            Dialect::Sqlite if indexed => {
                let above = self.bind(format!("{prefix}{}", char::MAX));
                let from = self.bind(prefix);
                format!("{column} >= {from} AND {column} < {above} AND {column} LIKE {place} ESCAPE '\\'")
            }
            Dialect::Sqlite => format!("{column} LIKE {place} ESCAPE '\\'"),
        };
        Comparison { sql, indexed }
    }
}
