//! Lists of tables with substring search.

use super::conditions::Conditions;
use super::slice::Slice;
use crate::{Result, Row, Tx};

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
