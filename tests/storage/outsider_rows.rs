//! The table of the rows that outsiders create says something of every table of the schema.

use crate::Store;
use claimsmith_domain::outsider_rows::{BOUND_OTHERWISE, NOT_REACHABLE, OUTSIDER_ROWS};
use claimsmith_storage::Dialect;
use claimsmith_test_support::both;
use std::collections::BTreeSet;

#[derive(claimsmith_storage::Row)]
struct Table {
    name: String,
}

both!(every_table_is_bounded_or_not_reachable, async |store: Store| {
    let mut tx = store.db.read().await.unwrap();
    let sql = match store.db.dialect() {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' \
             AND name NOT LIKE 'sqlite%'"
        }
        Dialect::Postgres => {
            "SELECT table_name AS name FROM information_schema.tables \
             WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%'"
        }
    };
    let there: BTreeSet<String> =
        tx.sql(sql).all::<Table>().await.unwrap().into_iter().map(|table| table.name).collect();
    assert!(there.len() > 60, "{there:?}");
    let with_budget = OUTSIDER_ROWS.iter().flat_map(|rules| rules.tables.iter().copied());
    let bounded: BTreeSet<&str> = with_budget.chain(BOUND_OTHERWISE.iter().map(|(table, _)| *table)).collect();
    let not_reachable: BTreeSet<&str> = NOT_REACHABLE.into_iter().collect();
    assert_eq!(bounded.intersection(&not_reachable).count(), 0, "a table is in both lists");
    let listed: BTreeSet<String> = bounded.union(&not_reachable).map(|table| (*table).to_owned()).collect();
    let unlisted: Vec<_> = there.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&there).collect();
    assert!(unlisted.is_empty() && unknown.is_empty(), "without a bound: {unlisted:?}; not in the schema: {unknown:?}");
});
