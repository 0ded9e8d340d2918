//! Concurrent changes: exactly one of conflicting requests succeeds, and none fails with a server error.

use crate::fixtures::{role, scope, user};
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
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
        ("/api/organization-roles", json!({ "name": "keeper" }), 201),
        ("/api/organization-scopes", json!({ "name": "feed" }), 201),
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

both!(memberships_change_at_once_and_invitations_are_accepted_once, async |server: TestServer| {
    let management = server.management().await;
    let role = management.post("/api/organization-roles", json!({ "name": "keeper" })).await.expect(201).text("id");
    let mut user_ids = Vec::new();
    for name in ["ada", "bob", "cem"] {
        user_ids.push(user(&management, name).await);
    }
    let mut calls = JoinSet::new();
    for index in 0..CALLERS / 4 {
        let body = json!({ "name": format!("organization {index}") });
        let id = management.post("/api/organizations", body).await.expect(201).text("id");
        let path = format!("/api/organizations/{id}/users");
        management.post(&path, json!({ "userIds": user_ids })).await.expect(201);
        let one = format!("{path}/{}/roles", user_ids[0]);
        for (method, path, body) in [
            (Method::POST, path.clone(), json!({ "userIds": user_ids })),
            (Method::PUT, path.clone(), json!({ "userIds": user_ids })),
            (Method::POST, format!("{path}/roles"), json!({ "userIds": user_ids, "organizationRoleIds": [role] })),
            (Method::PUT, one, json!({ "organizationRoleIds": [role] })),
        ] {
            let management = management.clone();
            calls.spawn(async move { management.send(method, &path, body).await.status });
        }
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(201, CALLERS / 2), (204, CALLERS / 2)]));

    let ada = management.post("/api/users", json!({ "primaryEmail": "ada@example.com" })).await.expect(200).text("id");
    let zoo = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
    let body = json!({
        "invitee": "ada@example.com", "organizationId": zoo, "expiresAt": server.clock.now_ms() + 60_000,
    });
    let mut calls = JoinSet::new();
    for _ in 0..CALLERS {
        let (management, body) = (management.clone(), body.clone());
        calls.spawn(async move { management.post("/api/organization-invitations", body).await.status });
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(201, 1), (422, CALLERS - 1)]));
    let invitations = management.get("/api/organization-invitations").await.expect(200).body;
    let path = format!("/api/organization-invitations/{}/status", invitations[0]["id"].as_str().unwrap());
    let mut calls = JoinSet::new();
    for _ in 0..CALLERS {
        let (management, path) = (management.clone(), path.clone());
        let body = json!({ "status": "Accepted", "acceptedUserId": ada });
        calls.spawn(async move { management.put(&path, body).await.status });
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(200, 1), (422, CALLERS - 1)]));
});

both!(one_of_two_gets_a_name_that_both_change_to, async |server: TestServer| {
    let management = server.management().await;
    let (resource_id, scope_id) = scope(&management, "https://orders.test", "orders:read").await;
    let (first, second) = (role(&management, "one", "User", &[]).await, role(&management, "two", "User", &[]).await);
    let scopes = format!("/api/resources/{resource_id}/scopes");
    let other = management.post(&scopes, json!({ "name": "orders:write" })).await.expect(201).text("id");
    for (paths, body) in [
        ([format!("/api/roles/{first}"), format!("/api/roles/{second}")], json!({ "name": "readers" })),
        ([format!("{scopes}/{scope_id}"), format!("{scopes}/{other}")], json!({ "name": "orders:list" })),
    ] {
        let mut calls = JoinSet::new();
        for path in paths {
            let (management, body) = (management.clone(), body.clone());
            calls.spawn(async move { management.patch(&path, body).await.status });
        }
        assert_eq!(tally(calls).await, BTreeMap::from([(200, 1), (422, 1)]), "{body}");
    }
    let mut calls = JoinSet::new();
    for _ in 0..CALLERS {
        let (management, path) = (management.clone(), scopes.clone());
        calls.spawn(async move { management.post(&path, json!({ "name": "orders:new" })).await.status });
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(201, 1), (422, CALLERS - 1)]));
});

both!(changes_at_once_of_different_members_are_all_kept, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/roles/{}", role(&management, "readers", "User", &[]).await);
    let body = json!({ "name": "Shop", "type": "SPA" });
    let id = management.post("/api/applications", body).await.expect(200).text("id");
    let data = format!("/api/applications/{id}/custom-data");
    let mut calls = JoinSet::new();
    let mut change = |path: &str, body| {
        let (management, path) = (management.clone(), path.to_owned());
        calls.spawn(async move { management.patch(&path, body).await.status });
    };
    change(&path, json!({ "name": "people" }));
    change(&path, json!({ "description": "changed" }));
    change(&path, json!({ "isDefault": true }));
    for index in 0..CALLERS {
        change(&data, json!({ format!("key{index}"): index }));
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(200, CALLERS + 3)]));
    let shown = management.get(&path).await.expect(200);
    assert_eq!((&shown["name"], &shown["isDefault"]), (&json!("people"), &json!(true)));
    assert_eq!(shown["description"], "changed");
    let shown = management.get(&format!("/api/applications/{id}")).await.expect(200);
    assert_eq!(shown["customData"].as_object().unwrap().len(), CALLERS);
});

both!(changes_at_once_of_an_email_template_are_all_kept, async |server: TestServer| {
    let management = server.management().await;
    let details = json!({ "subject": "Your code", "content": "{{code}}" });
    let templates = json!({ "templates": [{ "languageTag": "en", "templateType": "SignIn", "details": details }] });
    let written = management.put("/api/email-templates", templates).await.expect(200);
    let path = format!("/api/email-templates/{}", written.body[0]["id"].as_str().unwrap());
    for round in 0..8 {
        let mut calls = JoinSet::new();
        for member in ["subject", "content", "replyTo", "sendFrom"] {
            let (management, path) = (management.clone(), format!("{path}/details"));
            let change = json!({ member: format!("{member} {round}") });
            calls.spawn(async move { management.patch(&path, change).await.status });
        }
        assert_eq!(tally(calls).await, BTreeMap::from([(200, 4)]));
        let shown = management.get(&path).await.expect(200)["details"].clone();
        let expected = json!({
            "subject": format!("subject {round}"), "content": format!("content {round}"),
            "replyTo": format!("replyTo {round}"), "sendFrom": format!("sendFrom {round}"),
        });
        assert_eq!(shown, expected);
    }
});

both!(many_make_their_resource_the_default_and_one_is, async |server: TestServer| {
    let management = server.management().await;
    let mut calls = JoinSet::new();
    for index in 0..CALLERS {
        let (id, _) = scope(&management, &format!("https://orders{index}.test"), "read").await;
        let (management, path) = (management.clone(), format!("/api/resources/{id}/is-default"));
        calls.spawn(async move { management.patch(&path, json!({ "isDefault": true })).await.status });
    }
    assert_eq!(tally(calls).await, BTreeMap::from([(200, CALLERS)]));
    let listed = management.get("/api/resources").await.expect(200).body;
    assert_eq!(listed.as_array().unwrap().iter().filter(|resource| resource["isDefault"] == true).count(), 1);
});
