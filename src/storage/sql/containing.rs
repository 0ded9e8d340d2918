//! Substring search without regard to case: texts are folded when they are written, and the search term when it is
//! searched, since neither database folds every alphabet.

use super::slice::{Count, Slice};
use crate::domain::fold::fold;
use crate::storage::{Result, Row, Stmt, Tx};

/// What is looked at, of the texts that a row is to be found by.
pub(in crate::storage) fn key(texts: &[&str]) -> String {
    fold(&texts.join(" "))
}

/// The `LIKE … ESCAPE '\'` pattern of a folded text that contains `part`; of every text, when nothing is looked for.
pub(in crate::storage) fn pattern(part: Option<&str>) -> String {
    let part = fold(part.unwrap_or_default());
    format!("%{}%", part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

/// A table whose rows are found by a part of their `search_key`.
pub(in crate::storage) struct Searchable {
    pub(in crate::storage) table: &'static str,
    pub(in crate::storage) columns: &'static str,
    pub(in crate::storage) order: &'static str,
}

impl Searchable {
    pub(in crate::storage) async fn list<R: Row>(
        &self,
        tx: &mut Tx,
        part: Option<&str>,
        slice: Slice,
    ) -> Result<Vec<R>> {
        let Self { table, columns, order } = self;
        let sql = format!(
            "SELECT {columns} FROM {table} WHERE search_key LIKE $1 ESCAPE '\\' ORDER BY {order} LIMIT $2 OFFSET $3"
        );
        looking_for(part, tx.assembled(sql)).bind(slice.limit).bind(slice.offset).all().await
    }

    pub(in crate::storage) async fn count(&self, tx: &mut Tx, part: Option<&str>) -> Result<i64> {
        let sql = format!("SELECT COUNT(*) AS count FROM {} WHERE search_key LIKE $1 ESCAPE '\\'", self.table);
        Ok(looking_for(part, tx.assembled(sql)).one::<Count>().await?.count)
    }
}

/// Binds the pattern of `part`; a statement that looks for something runs where searches do.
pub(in crate::storage) fn looking_for<'t>(part: Option<&str>, statement: Stmt<'t>) -> Stmt<'t> {
    let statement = if part.is_some() { statement.searching() } else { statement };
    statement.bind(pattern(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_and_its_wildcards_are_letters() {
        for (part, expected) in [
            (None, "%%"),
            (Some("ACME"), "%acme%"),
            (Some("50%_a\\b"), "%50\\%\\_a\\\\b%"),
            (Some("A\u{308}RZTE"), "%\u{e4}rzte%"),
        ] {
            assert_eq!(pattern(part), expected);
        }
        assert_eq!(key(&["ab", "Ärzte"]), "ab ärzte");
    }
}
