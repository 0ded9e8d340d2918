//! Rows of several tables in one: the columns of each table have a prefix, so that one statement reads what belongs
//! together.

use super::column::{Column, Row, Source};
use crate::Result;

/// Selects the columns `names` of the table `alias`, each as `alias_name`.
pub(crate) fn columns(alias: &str, names: &str) -> String {
    let column = |name: &str| format!("{alias}.{name} AS {alias}_{name}");
    names.split(", ").map(column).collect::<Vec<_>>().join(", ")
}

/// The columns of one table.
struct Prefixed<'r, R> {
    row: &'r R,
    alias: &'static str,
}

impl<R: Source> Source for Prefixed<'_, R> {
    fn column<T: Column>(&self, name: &str) -> Result<T> {
        self.row.column(&format!("{}_{name}", self.alias))
    }

    fn column_at<T: Column>(&self, position: usize) -> Result<T> {
        self.row.column_at(position)
    }
}

/// Reads the row of this table.
pub(crate) fn read<T: Row>(row: &impl Source, alias: &'static str) -> Result<T> {
    T::read(&Prefixed { row, alias })
}

/// The same for a table of which an outer join may have found no row. `key` is one of its columns without NULL.
pub(crate) fn read_joined<T: Row>(row: &impl Source, alias: &'static str, key: &str) -> Result<Option<T>> {
    let found: Option<String> = Prefixed { row, alias }.column(key)?;
    found.map(|_| read(row, alias)).transpose()
}
