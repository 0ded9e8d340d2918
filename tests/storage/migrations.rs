//! Migrations: both databases have the same schema, number by number.

use crate::Store;
use claimsmith_storage as storage;
use claimsmith_test_support::{Fixture, Home, Kind, both, on_postgres};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn migrations(dialect: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(dialect);
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn both_folders_hold_the_same_migrations() {
    let names = migrations("sqlite");
    assert_eq!(names, migrations("postgres"));
    for (index, name) in names.iter().enumerate() {
        assert!(name.starts_with(&format!("{:04}_", index + 1)), "{name} is out of order");
    }
}

#[derive(claimsmith_storage::Row)]
struct Column {
    place: String,
}

/// `table.column nullability` of the whole schema, but for the migrator's own table.
async fn columns(store: &Store) -> BTreeSet<String> {
    let mut tx = store.db.read().await.unwrap();
    let sql = match store.db.dialect() {
        storage::Dialect::Sqlite => {
            "SELECT t.name || '.' || c.name || CASE WHEN c.\"notnull\" = 1 OR c.pk > 0 THEN ' NO' ELSE ' YES' END AS place \
             FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE '\\_%' ESCAPE '\\' \
             AND t.name NOT LIKE 'sqlite%'"
        }
        storage::Dialect::Postgres => {
            "SELECT table_name || '.' || column_name || ' ' || is_nullable AS place FROM information_schema.columns \
             WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%'"
        }
    };
    tx.sql(sql).all::<Column>().await.unwrap().into_iter().map(|column| column.place).collect()
}

on_postgres!(both_schemas_have_the_same_columns, async |postgres: Store| {
    let sqlite = Store::given(Kind::Sqlite).await;
    let columns = (columns(&sqlite).await, columns(&postgres).await);
    assert!(columns.0.contains("users.id NO") && columns.0.contains("users.username YES"), "{columns:?}");
    assert_eq!(columns.0, columns.1);
});

both!(migrating_again_changes_nothing, async |store: Store| {
    let before = columns(&store).await;
    storage::migrate(&store.db).await.unwrap();
    assert_eq!(columns(&store).await, before);
});

both!(nodes_may_migrate_at_once, async |home: Arc<Home>| {
    let (one, other) = (home.db().await, home.db().await);
    let done = tokio::join!(storage::migrate(&one), storage::migrate(&other), storage::migrate(&one));
    assert!(done.0.is_ok() && done.1.is_ok() && done.2.is_ok(), "{done:?}");
    one.close().await;
    other.close().await;
});
