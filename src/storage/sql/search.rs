//! A search as SQL conditions; search values are always bound.
//!
//! A prefix or exact term uses the indexes of its columns, column by column: one `OR` over several columns would make
//! SQLite scan the table.

use super::conditions::Conditions;
use crate::Dialect;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::search::{MatchMode, Search, Term, literal_prefix, to_glob, to_regex};

/// A column that can be searched.
pub(crate) struct SearchColumn {
    /// The field's name on the wire.
    pub(crate) field: &'static str,
    /// The column.
    pub(crate) name: &'static str,
    /// An indexed column with the case-folded value; the column itself if it is always in lower case.
    pub(crate) folded: Option<&'static str>,
}

/// The searchable columns of a table with a primary key `id`.
pub(crate) struct Searched {
    pub(crate) columns: &'static [SearchColumn],
    /// Another unique column by which the results are combined: one that the indexes include, so that no row is read
    /// for it.
    pub(crate) key: Option<&'static str>,
}

/// One comparison.
struct Comparison {
    sql: String,
    /// Whether it uses an index.
    indexed: bool,
}

/// The length of the literal prefix that a term requires.
pub(super) fn narrowness(term: &Term) -> usize {
    let of_value = |value: &String| match term.mode {
        MatchMode::Exact => usize::MAX,
        MatchMode::Like => literal_prefix(value).len(),
        MatchMode::SimilarTo | MatchMode::Posix => 0,
    };
    term.values.iter().map(of_value).min().unwrap_or_default()
}

impl Conditions {
    /// Adds the conditions of a search, if any.
    pub(crate) fn search(&mut self, search: Option<&Search>, searched: &Searched) {
        let Some(search) = search else { return };
        self.searches = true;
        // SQLite cannot tell which of several conditions is the most selective, and the index of another one would only
        // cost time.
        let narrowest = match self.dialect {
            Dialect::Sqlite if search.all => search.terms.iter().enumerate().max_by_key(|(_, term)| narrowness(term)),
            Dialect::Sqlite | Dialect::Postgres => None,
        };
        let narrowest = narrowest.map(|(index, _)| index);
        let terms: Vec<String> = search
            .terms
            .iter()
            .enumerate()
            .map(|(index, term)| {
                let by_index = narrowest.is_none_or(|narrowest| narrowest == index);
                let comparisons = self.term(term, searched.columns, search.case_sensitive, by_index);
                self.any(&comparisons, searched.key)
            })
            .collect();
        let joint = if search.all { " AND " } else { " OR " };
        self.holds(format!("({})", terms.join(joint)));
    }

    fn any(&self, comparisons: &[Comparison], key: Option<&str>) -> String {
        let texts: Vec<&str> = comparisons.iter().map(|one| one.sql.as_str()).collect();
        if comparisons.len() > 1 && comparisons.iter().all(|one| one.indexed) {
            let table = self.table;
            let key = key.unwrap_or(match self.dialect {
                // Every SQLite index includes it.
                Dialect::Sqlite => "rowid",
                Dialect::Postgres => "id",
            });
            let queries: Vec<String> =
                texts.iter().map(|text| format!("SELECT {key} FROM {table} WHERE {text}")).collect();
            let found = queries.join(" UNION ");
            return match self.dialect {
                Dialect::Sqlite => format!("{key} IN ({found})"),
                // Runs the search first: as a join, PostgreSQL would search along the order of the list.
                Dialect::Postgres => format!("{key} = ANY(ARRAY({found}))"),
            };
        }
        format!("({})", texts.join(" OR "))
    }

    fn term(&mut self, term: &Term, columns: &[SearchColumn], case_sensitive: bool, by_index: bool) -> Vec<Comparison> {
        let mut comparisons = Vec::new();
        for column in columns.iter().filter(|column| term.fields.contains(&column.field)) {
            for value in &term.values {
                comparisons.push(self.comparison(column, term.mode, value, case_sensitive, by_index));
            }
        }
        comparisons
    }

    fn comparison(
        &mut self,
        column: &SearchColumn,
        mode: MatchMode,
        value: &str,
        case_sensitive: bool,
        by_index: bool,
    ) -> Comparison {
        let as_it_is = column.name;
        let by_index = by_index && column.folded.is_some();
        let folded = match column.folded {
            Some(folded) if by_index => folded.to_owned(),
            // The unary plus prevents the use of the index.
            Some(folded) => format!("+{folded}"),
            None => format!("LOWER({as_it_is})"),
        };
        let unindexed = |sql| Comparison { sql, indexed: false };
        match (mode, case_sensitive, self.dialect) {
            (MatchMode::Exact, true, _) => {
                let place = self.bind_text(value.to_owned());
                unindexed(format!("{as_it_is} = {place}"))
            }
            (MatchMode::Exact, false, _) => {
                let place = self.bind_text(fold(value));
                Comparison { sql: format!("{folded} = {place}"), indexed: by_index }
            }
            (MatchMode::Like, true, Dialect::Sqlite) => {
                let place = self.bind_text(to_glob(value));
                unindexed(format!("{as_it_is} GLOB {place}"))
            }
            (MatchMode::Like, true, Dialect::Postgres) => {
                let place = self.bind_text(value.to_owned());
                unindexed(format!("{as_it_is} LIKE {place}"))
            }
            (MatchMode::Like, false, _) => self.like(&folded, &fold(value), by_index),
            (MatchMode::SimilarTo, _, Dialect::Sqlite) => {
                let place = self.bind_text(to_regex(value));
                unindexed(format!("{as_it_is} REGEXP {place}"))
            }
            (MatchMode::SimilarTo, _, Dialect::Postgres) => {
                let place = self.bind_text(value.to_owned());
                unindexed(format!("{as_it_is} SIMILAR TO {place}"))
            }
            (MatchMode::Posix, _, Dialect::Sqlite) => {
                let flags = if case_sensitive { "" } else { "(?i)" };
                let place = self.bind_text(format!("{flags}{value}"));
                unindexed(format!("{as_it_is} REGEXP {place}"))
            }
            (MatchMode::Posix, _, Dialect::Postgres) => {
                let operator = if case_sensitive { "~" } else { "~*" };
                let place = self.bind_text(value.to_owned());
                unindexed(format!("{as_it_is} {operator} {place}"))
            }
        }
    }

    /// PostgreSQL's index supports patterns; for SQLite the range of the prefix is added.
    fn like(&mut self, column: &str, pattern: &str, has_index: bool) -> Comparison {
        let place = self.bind_text(pattern.to_owned());
        let prefix = literal_prefix(pattern);
        let indexed = has_index && !prefix.is_empty();
        let sql = match self.dialect {
            Dialect::Postgres => format!("{column} LIKE {place}"),
            Dialect::Sqlite if indexed => {
                let above = self.bind_text(format!("{prefix}{}", char::MAX));
                let from = self.bind_text(prefix);
                format!("{column} >= {from} AND {column} < {above} AND {column} LIKE {place} ESCAPE '\\'")
            }
            Dialect::Sqlite => format!("{column} LIKE {place} ESCAPE '\\'"),
        };
        Comparison { sql, indexed }
    }
}
