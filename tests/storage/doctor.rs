//! Unreadable documents: finding and replacing them.

use crate::Store;
use claimsmith_domain::clock::Clock;
use claimsmith_storage::doctor::{self, UnreadableDocument};
use claimsmith_storage::{Dialect, Document as _, organizations, users};
use claimsmith_test_support::seed::{new_organization, new_user};
use claimsmith_test_support::{both, on_postgres};
use serde_json::json;
use serde_json::value::RawValue;
use sqlx::types::Json;

both!(what_cannot_be_read_is_found_and_replaced, async |store: Store| {
    let mut tx = store.begin().await;
    let users: Vec<_> = (0..600).map(|_| new_user()).collect();
    for user in &users {
        users::insert(&mut tx, user).await.unwrap();
    }
    let organization = new_organization();
    organizations::insert(&mut tx, &organization).await.unwrap();
    assert_eq!(doctor::examine(&mut tx).await.unwrap(), []);

    let deep = RawValue::from_string(format!("{}{}", "[".repeat(128), "]".repeat(128))).unwrap();
    let spoil = "UPDATE users SET profile = $1 WHERE id = $2";
    tx.sql(spoil).bind(Json(&*deep)).bind(&users[0].id).execute().await.unwrap();
    // Of another shape than the column's.
    let shape = RawValue::from_string("{\"primaryColor\":7}".to_owned()).unwrap();
    let spoil = "UPDATE organizations SET color = $1 WHERE id = $2";
    tx.sql(spoil).bind(Json(&*shape)).bind(&organization.id).execute().await.unwrap();

    let mut read = users[0].clone();
    read.profile = users::find(&mut tx, &read.id).await.unwrap().unwrap().profile;
    assert!(read.profile.is_unreadable());
    assert!(users::update(&mut tx, &read).await.unwrap(), "what was not read is not written");
    let found = doctor::examine(&mut tx).await.unwrap();
    let named: Vec<_> =
        found.iter().map(|UnreadableDocument { table, id, column, .. }| (*table, id.as_str(), *column)).collect();
    assert_eq!(named, [("users", users[0].id.as_str(), "profile"), ("organizations", &*organization.id, "color")]);

    let kept = doctor::repair(&mut tx, &found[0]).await.unwrap().unwrap();
    assert!(kept.starts_with(b"[[[["), "the bytes that were there");
    assert!(doctor::repair(&mut tx, &found[0]).await.unwrap().is_none(), "it is repaired");
    doctor::repair(&mut tx, &found[1]).await.unwrap().unwrap();
    assert_eq!(doctor::examine(&mut tx).await.unwrap(), []);
    assert_eq!(users::find(&mut tx, &users[0].id).await.unwrap().unwrap().profile.0, json!({}));
});

both!(the_clock_of_postgresql_is_another_one, async |store: Store| {
    let mut tx = store.begin().await;
    let before = Clock::system().now_ms();
    let clock = doctor::clock(&mut tx).await.unwrap();
    match tx.dialect() {
        Dialect::Sqlite => assert_eq!(clock, None),
        // The same machine, or one whose clock is synchronized.
        Dialect::Postgres => assert!(clock.unwrap().abs_diff(before) < 60_000, "{clock:?} {before}"),
    }
});

on_postgres!(every_document_is_looked_at, async |store: Store| {
    let mut tx = store.begin().await;
    let sql = "SELECT table_name || '.' || column_name FROM information_schema.columns \
               WHERE table_schema = current_schema() AND data_type = 'jsonb' ORDER BY 1";
    let documents: Vec<(String,)> = tx.sql(sql).all().await.unwrap();
    let mut looked_at: Vec<_> = doctor::columns().map(|(table, column)| (format!("{table}.{column}"),)).collect();
    looked_at.sort();
    assert_eq!(documents, looked_at);
});
