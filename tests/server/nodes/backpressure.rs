//! Changes without end at one node: others get their tokens at every node, and the changes go on.

use super::start;
use claimsmith_test_support::{Home, on_postgres};
use serde_json::json;
use std::sync::Arc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

on_postgres!(changes_at_one_node_keep_nobody_from_a_token_at_another, async |home: Arc<Home>| {
    const CHANGING: usize = 4;
    let (one, two) = tokio::join!(start(&home, "one", &[]), start(&home, "two", &[]));
    let management = one.management().await;
    // A change of any resource concerns every token.
    let resource = json!({ "name": "0", "indicator": "urn:example:busy" });
    let resource = management.post("/api/resources", resource).await.expect(201);
    let path = format!("/api/resources/{}", resource.text("id"));
    let (enough, mut changing) = (CancellationToken::new(), JoinSet::new());
    for number in 0..CHANGING {
        let (management, path, enough) = (management.clone(), path.clone(), enough.clone());
        changing.spawn(async move {
            let mut changes = 0;
            while !enough.is_cancelled() {
                changes += 1;
                let change = json!({ "name": format!("{number} {changes}") });
                management.patch(&path, change).await.expect(200);
            }
            changes
        });
    }
    for _ in 0..100 {
        for node in [&two, &one] {
            node.client_credentials().send().await.expect(200);
        }
    }
    enough.cancel();
    // Nor do tokens at either node keep anybody from a change.
    let changes = changing.join_all().await;
    assert!(changes.iter().all(|changes| *changes > 10), "{changes:?}");
});
