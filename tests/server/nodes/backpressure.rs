//! Changes without end at one node: others get their tokens at every node, and the changes go on.

use super::start;
use claimsmith_test_support::{ConcurrentChanges, Home, on_postgres};
use std::sync::Arc;

on_postgres!(changes_at_one_node_keep_nobody_from_a_token_at_another, async |home: Arc<Home>| {
    let (one, two) = tokio::join!(start(&home, "one", &[]), start(&home, "two", &[]));
    let changing = ConcurrentChanges::begin(&one.management().await, 4).await;
    for _ in 0..100 {
        for node in [&two, &one] {
            node.client_credentials().send().await.expect(200);
        }
    }
    // Nor do tokens at either node keep anybody from a change.
    let changes = changing.end().await;
    assert!(changes.iter().all(|changes| *changes > 10), "{changes:?}");
});
