//! Backpressure between nodes: changes and token requests wait for each other in the order in which they come.

use crate::Store;
use claimsmith_storage::{Db, nodes};
use claimsmith_test_support::{Kind, both, on_postgres, until};
use std::sync::Arc;

#[derive(claimsmith_storage::Row)]
struct Waiting {
    count: i64,
}

async fn until_waiting(db: &Db, expected: i64) {
    until("those who wait for a lock", async || {
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT COUNT(*) AS count FROM pg_locks JOIN pg_database ON pg_database.oid = database \
                   WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()";
        let waiting: Waiting = tx.sql(sql).one().await.unwrap();
        (waiting.count == expected).then_some(())
    })
    .await;
}

on_postgres!(a_change_waits_for_the_requests_before_it_and_later_ones_for_the_change, async |store: Store| {
    let other = Arc::new(store.home.db().await);
    let first = nodes::backpressure::hold(&store.db).await.unwrap();
    // Those who hold back changes do not wait for each other.
    let beside = nodes::backpressure::hold(&other).await.unwrap();
    assert!(first.is_some() && beside.is_some());
    let node = Arc::clone(&other);
    let change = tokio::spawn(async move { nodes::backpressure::pass(&node).await });
    until_waiting(&store.db, 1).await;
    let db = store.db.clone();
    let later = tokio::spawn(async move { nodes::backpressure::hold(&db).await });
    until_waiting(&store.db, 2).await;
    drop(first);
    assert!(!change.is_finished());
    drop(beside);
    change.await.unwrap().unwrap();
    assert!(later.await.unwrap().unwrap().is_some());
});

on_postgres!(nobody_waits_for_ever, async |store: Store| {
    let hold = nodes::backpressure::hold(&store.db).await.unwrap();
    nodes::backpressure::pass(&store.db).await.unwrap_err();
    drop(hold);
    nodes::backpressure::pass(&store.db).await.unwrap();
});

both!(one_node_alone_is_held_back_by_nobody, async |store: Store| {
    assert_eq!(nodes::backpressure::hold(&store.db).await.unwrap().is_some(), store.home.kind() == Kind::Postgres);
    nodes::backpressure::pass(&store.db).await.unwrap();
});
