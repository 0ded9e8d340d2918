//! Case-insensitive substring search: texts are case-folded when written, and search terms when searched, since neither
//! database folds every alphabet.

use super::conditions::Conditions;
use super::slice::Slice;
use crate::{Result, Row, Tx};
use claimsmith_domain::documents::fold::fold;

/// The search key of a row, from the texts that it is found by.
pub(crate) fn key(texts: &[&str]) -> String {
    fold(&texts.join(" "))
}

/// The `LIKE … ESCAPE '\'` pattern of a folded text that contains `part`.
pub(crate) fn pattern(part: &str) -> String {
    let part = fold(part);
    format!("%{}%", part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

/// A table whose rows are found by a substring of their `search_key`.
pub(crate) struct Searchable {
    pub(crate) table: &'static str,
    pub(crate) columns: &'static str,
    pub(crate) order: &'static str,
}

impl Searchable {
    fn conditions(&self, tx: &Tx, part: Option<&str>) -> Conditions {
        let mut conditions = Conditions::on(self.table, tx);
        conditions.part("search_key LIKE ? ESCAPE '\\'", part);
        conditions
    }

    pub(crate) async fn list<R: Row>(&self, tx: &mut Tx, part: Option<&str>, slice: Slice) -> Result<Vec<R>> {
        self.conditions(tx, part).list(tx, self.columns, self.order, slice).all().await
    }

    pub(crate) async fn count(&self, tx: &mut Tx, part: Option<&str>) -> Result<i64> {
        self.conditions(tx, part).count(tx).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_and_its_wildcards_are_letters() {
        for (part, expected) in [("ACME", "%acme%"), ("50%_a\\b", "%50\\%\\_a\\\\b%"), ("A\u{308}RZTE", "%\u{e4}rzte%")]
        {
            assert_eq!(pattern(part), expected);
        }
        assert_eq!(key(&["ab", "Ärzte"]), "ab ärzte");
    }
}
