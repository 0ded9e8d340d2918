//! Many callers at once: one wins what only one can have, nobody is told that the server failed.

use crate::fixtures::{role, scope, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const CALLERS: usize = 16;

/// How often each status was answered.
async fn tally(mut calls: JoinSet<u16>) -> BTreeMap<u16, usize> {
    let mut tally = BTreeMap::new();
    while let Some(status) = calls.join_next().await {
        *tally.entry(status.unwrap()).or_default() += 1;
    }
    tally
}

both!(one_of_many_gets_a_name, async |server: TestServer| {
    let management = server.management().await;
    for (path, body, created) in [
        ("/api/users", json!({ "username": "ada", "primaryEmail": "ada@example.com" }), 200),
        ("/api/roles", json!({ "name": "readers", "description": "d" }), 200),
        ("/api/resources", json!({ "name": "Orders", "indicator": "https://orders.test" }), 201),
    ] {
        let mut calls = JoinSet::new();
        for _ in 0..CALLERS {
            let (management, body) = (management.clone(), body.clone());
            calls.spawn(async move { management.post(path, body).await.status });
        }
        assert_eq!(tally(calls).await, BTreeMap::from([(created, 1), (422, CALLERS - 1)]), "{path}");
    }
});

both!(changes_of_what_may_be_granted_do_not_block_each_other_for_good, async |server: TestServer| {
    let management = server.management().await;
    let (resource_id, scope_id) = scope(&management, "https://orders.test", "orders:read").await;
    let user_id = user(&management, "ada").await;
    let mut role_ids = Vec::new();
    for index in 0..CALLERS {
        role_ids.push(role(&management, &format!("role {index}"), "User", &[]).await);
    }
    let mut calls = JoinSet::new();
    for role_id in &role_ids {
        let scopes = (format!("/api/roles/{role_id}/scopes"), json!({ "scopeIds": [scope_id] }));
        let users = (format!("/api/roles/{role_id}/users"), json!({ "userIds": [user_id] }));
        let more = (format!("/api/resources/{resource_id}/scopes"), json!({ "name": role_id }));
        for (path, body) in [scopes, users, more] {
            let management = management.clone();
            calls.spawn(async move { management.post(&path, body).await.status });
        }
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(201, 3 * CALLERS)]));
    let mut calls = JoinSet::new();
    for role_id in role_ids {
        let management = management.clone();
        calls.spawn(async move { management.delete(&format!("/api/roles/{role_id}")).await.status });
    }
    management.delete(&format!("/api/resources/{resource_id}/scopes/{scope_id}")).await.expect(204);
    assert_eq!(tally(calls).await, BTreeMap::from([(204, CALLERS)]));
});
