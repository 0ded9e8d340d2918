//! Who may call: every operation refuses callers without a token, with a foreign one, and without its scope.

use crate::fixtures::{NOBODY, find, management_scopes, narrow, role};
use claimsmith_test_support::{Actor, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// Method, path and the narrow scope that opens it.
const OPERATIONS: [(&str, &str, &str); 53] = [
    ("POST", "/api/users", "users:write"),
    ("GET", "/api/users", "users:read"),
    ("GET", "/api/users/nobody", "users:read"),
    ("PATCH", "/api/users/nobody/is-suspended", "users:write"),
    ("DELETE", "/api/users/nobody", "users:write"),
    ("GET", "/api/users/nobody/roles", "users:read"),
    ("POST", "/api/users/nobody/roles", "roles:write"),
    ("PUT", "/api/users/nobody/roles", "roles:write"),
    ("DELETE", "/api/users/nobody/roles/nobody", "roles:write"),
    ("POST", "/api/roles", "roles:write"),
    ("GET", "/api/roles", "roles:read"),
    ("GET", "/api/roles/nobody", "roles:read"),
    ("PATCH", "/api/roles/nobody", "roles:write"),
    ("DELETE", "/api/roles/nobody", "roles:write"),
    ("GET", "/api/roles/nobody/scopes", "roles:read"),
    ("POST", "/api/roles/nobody/scopes", "roles:write"),
    ("DELETE", "/api/roles/nobody/scopes/nobody", "roles:write"),
    ("GET", "/api/roles/nobody/users", "users:read"),
    ("POST", "/api/roles/nobody/users", "roles:write"),
    ("DELETE", "/api/roles/nobody/users/nobody", "roles:write"),
    ("GET", "/api/roles/nobody/applications", "applications:read"),
    ("POST", "/api/roles/nobody/applications", "roles:write"),
    ("DELETE", "/api/roles/nobody/applications/nobody", "roles:write"),
    ("POST", "/api/resources", "resources:write"),
    ("GET", "/api/resources", "resources:read"),
    ("GET", "/api/resources/nobody", "resources:read"),
    ("PATCH", "/api/resources/nobody", "resources:write"),
    ("PATCH", "/api/resources/nobody/is-default", "resources:write"),
    ("DELETE", "/api/resources/nobody", "resources:write"),
    ("GET", "/api/resources/nobody/scopes", "resources:read"),
    ("POST", "/api/resources/nobody/scopes", "resources:write"),
    ("PATCH", "/api/resources/nobody/scopes/nobody", "resources:write"),
    ("DELETE", "/api/resources/nobody/scopes/nobody", "resources:write"),
    ("POST", "/api/applications", "applications:write"),
    ("GET", "/api/applications", "applications:read"),
    ("GET", "/api/applications/nobody", "applications:read"),
    ("PATCH", "/api/applications/nobody", "applications:write"),
    ("DELETE", "/api/applications/nobody", "applications:write"),
    ("GET", "/api/applications/nobody/secrets", "applications:read"),
    ("POST", "/api/applications/nobody/secrets", "applications:write"),
    ("PATCH", "/api/applications/nobody/secrets/nobody", "applications:write"),
    ("DELETE", "/api/applications/nobody/secrets/nobody", "applications:write"),
    ("PATCH", "/api/applications/nobody/custom-data", "applications:write"),
    ("GET", "/api/applications/nobody/roles", "applications:read"),
    ("POST", "/api/applications/nobody/roles", "roles:write"),
    ("PUT", "/api/applications/nobody/roles", "roles:write"),
    ("DELETE", "/api/applications/nobody/roles/nobody", "roles:write"),
    ("POST", "/api/hooks", "hooks:write"),
    ("GET", "/api/hooks", "hooks:read"),
    ("GET", "/api/hooks/nobody", "hooks:read"),
    ("PATCH", "/api/hooks/nobody", "hooks:write"),
    ("PATCH", "/api/hooks/nobody/signing-key", "hooks:write"),
    ("DELETE", "/api/hooks/nobody", "hooks:write"),
];

/// A body that every operation takes.
fn body() -> Value {
    json!({
        "name": "name", "description": "description", "type": "MachineToMachine", "indicator": "https://orders.test",
        "isSuspended": true, "isDefault": true, "roleIds": ["x"], "scopeIds": ["x"], "userIds": ["x"], "applicationIds": ["x"],
        "events": ["User.Created"], "config": { "url": "https://receiver.test" },
    })
}

async fn call(actor: &Actor, method: &str, path: &str) -> claimsmith_test_support::Answer {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let body = if matches!(method, Method::GET | Method::DELETE) { Value::Null } else { body() };
    actor.send(method, path, body).await
}

both!(no_operation_opens_without_a_valid_token, async |server: TestServer| {
    let engineer = &server.demo().engineer_user_id;
    let for_the_demo =
        server.mint_for(engineer, &server.demo().spa_client_id, "resource:read", Some(&server.demo().resource)).await;
    for (method, path, _) in OPERATIONS {
        let answer = call(&server.anonymous(), method, path).await;
        answer.expect_api_error(401, "auth.authorization_header_missing");
        for token in ["nonsense", "a.b.c", &for_the_demo] {
            call(&server.bearer(token), method, path).await.expect_api_error(401, "auth.unauthorized");
        }
    }
    let basic = server.anonymous().request(Method::GET, "/api/users").basic_auth("a", Some("b"));
    let answer = claimsmith_test_support::Answer::of(basic).await;
    answer.expect_api_error(401, "auth.authorization_token_type_not_supported");
    assert_eq!(answer["data"]["supportedTypes"], json!(["Bearer"]));
});

both!(each_operation_opens_with_its_narrow_scope_and_no_other, async |server: TestServer| {
    let management = server.management().await;
    let families = ["users", "roles", "resources", "applications", "hooks"];
    let mut actors = Vec::new();
    for scope in families.iter().flat_map(|family| [format!("{family}:read"), format!("{family}:write")]) {
        actors.push((narrow(&server, &management, &[&scope]).await, scope));
    }
    for (method, path, needed) in OPERATIONS {
        for (actor, scope) in &actors {
            let answer = call(actor, method, path).await;
            if scope == needed {
                assert!(!matches!(answer.status, 401 | 403), "{method} {path} with {scope}: {:#}", answer.body);
            } else {
                answer.expect_api_error(403, "auth.forbidden");
            }
        }
    }
});

both!(a_narrow_scope_does_not_widen_itself, async |server: TestServer| {
    let management = server.management().await;
    let all = management_scopes(&server, &management, &["all"]).await.remove(0);
    let roles = management.get("/api/roles").await.expect(200).body;
    let access = find(&roles, "name", "Management API access")["id"].as_str().unwrap().to_owned();
    let plain = role(&management, "plain", "MachineToMachine", &[]).await;
    let actor = narrow(&server, &management, &["roles:write", "applications:write"]).await;
    let own = actor.post("/api/applications", json!({ "name": "own", "type": "MachineToMachine" })).await.expect(200);
    let own = own.text("id");
    let owner = &server.machine().client_id;

    let body = json!({ "name": "mine", "description": "d", "type": "MachineToMachine", "scopeIds": [all] });
    actor.post("/api/roles", body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "scopeIds": [all] });
    actor.post(&format!("/api/roles/{plain}/scopes"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "applicationIds": [own] });
    actor.post(&format!("/api/roles/{access}/applications"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "roleIds": [access] });
    actor.post(&format!("/api/applications/{own}/roles"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "roleIds": [plain, access] });
    actor.put(&format!("/api/applications/{own}/roles"), body).await.expect_api_error(403, "auth.forbidden");
    let body = json!({ "name": "another key" });
    actor.post(&format!("/api/applications/{owner}/secrets"), body).await.expect_api_error(403, "auth.forbidden");
    let key = format!("/api/applications/{owner}/secrets/Default%20secret");
    actor.patch(&key, json!({ "expiresAt": null })).await.expect_api_error(403, "auth.forbidden");
    for (id, is_admin) in [(&own, true), (owner, false)] {
        let body = json!({ "isAdmin": is_admin });
        actor.patch(&format!("/api/applications/{id}"), body).await.expect_api_error(403, "auth.forbidden");
    }

    // Nothing of it happened, and what opens nothing is theirs to give.
    let roles = management.get("/api/roles").await.expect(200).body;
    assert!(roles.as_array().unwrap().iter().all(|role| role["name"] != "mine"));
    assert_eq!(management.get(&format!("/api/applications/{own}")).await.expect(200)["isAdmin"], false);
    assert_eq!(management.get(&format!("/api/applications/{owner}")).await.expect(200)["isAdmin"], true);
    actor.post(&format!("/api/applications/{own}/roles"), json!({ "roleIds": [plain] })).await.expect(201);
    assert_eq!(management.get(&format!("/api/applications/{own}/roles")).await.expect(200).body[0]["id"], plain);
    actor.post(&format!("/api/applications/{own}/secrets"), json!({ "name": "own key" })).await.expect(201);
    // What somebody may not give they may leave as it is.
    actor.patch(&format!("/api/applications/{own}"), json!({ "isAdmin": false })).await.expect(200);
    actor.patch(&format!("/api/applications/{owner}"), json!({ "isAdmin": true })).await.expect(200);
    actor.put(&format!("/api/applications/{owner}/roles"), json!({ "roleIds": [plain, access] })).await.expect(200);
});

both!(rights_end_with_the_role_that_gave_them, async |server: TestServer| {
    let management = server.management().await;
    let actor = narrow(&server, &management, &["users:read"]).await;
    actor.get("/api/users").await.expect(200);
    let roles = management.get("/api/roles").await.expect(200).body;
    let role_id = find(&roles, "name", "users:read")["id"].as_str().unwrap();
    let applications = management.get("/api/applications").await.expect(200).body;
    let client_id = find(&applications, "name", "users:read")["id"].as_str().unwrap();
    let path = format!("/api/applications/{client_id}/secrets");
    let secret = management.post(&path, json!({ "name": "later" })).await.expect(201).text("value");
    let ask = crate::fixtures::credentials(&server, client_id, &secret).with("scope", "users:read");
    assert_eq!(ask.send().await.expect(200)["scope"], "users:read");

    management.delete(&format!("/api/roles/{role_id}")).await.expect(204);
    assert_eq!(ask.send().await.expect(200)["scope"], "");
    let token = ask.send().await.expect(200).text("access_token");
    server.bearer(&token).get("/api/users").await.expect_api_error(403, "auth.forbidden");

    management.delete(&format!("/api/applications/{client_id}")).await.expect(204);
    actor.get("/api/users").await.expect_api_error(401, "auth.unauthorized");
    ask.send().await.expect_oauth_error(401, "invalid_client");
});

both!(what_cannot_be_an_id_is_not_found, async |server: TestServer| {
    let management = server.management().await;
    let long = "a".repeat(129);
    for id in [NOBODY, "%00", "a%00b", "%FF", "..%2F", "%F0%9F%92%A9", &long] {
        for family in ["users", "roles", "resources", "applications"] {
            let answer = management.get(&format!("/api/{family}/{id}")).await;
            assert_eq!(answer.status, 404, "{family} {id}: {:#}", answer.body);
            assert!(answer.text("code").starts_with("entity."), "{:#}", answer.body);
        }
    }
    management.get("/api/unknown").await.expect_api_error(404, "request.unknown_route");
});
