//! Privilege escalation: only callers with all of the Management API grant rights on it, and the last administrator
//! cannot be removed.

use crate::fixtures::{credentials, find, machine, management_scopes, narrow};
use claimsmith_test_support::{Actor, Api, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// Every way to take the Management API from the application of the bootstrap: method, path, body.
async fn losses(server: &Api, management: &Actor, soon: i64) -> Vec<(Method, String, Value)> {
    let owner = &server.machine().client_id;
    let roles = management.get("/api/roles").await.expect(200).body;
    let role = find(&roles, "name", "Management API access")["id"].as_str().unwrap();
    let all = management_scopes(server, management, &["all"]).await.remove(0);
    let secret = format!("/api/applications/{owner}/secrets/Default%20secret");
    vec![
        (Method::DELETE, format!("/api/applications/{owner}"), Value::Null),
        (Method::PATCH, format!("/api/applications/{owner}"), json!({ "isAdmin": false })),
        (Method::DELETE, format!("/api/applications/{owner}/roles/{role}"), Value::Null),
        (Method::PUT, format!("/api/applications/{owner}/roles"), json!({ "roleIds": [] })),
        (Method::DELETE, format!("/api/roles/{role}/applications/{owner}"), Value::Null),
        (Method::DELETE, format!("/api/roles/{role}/scopes/{all}"), Value::Null),
        (Method::DELETE, format!("/api/roles/{role}"), Value::Null),
        (Method::PATCH, secret.clone(), json!({ "expiresAt": soon })),
        (Method::DELETE, secret, Value::Null),
    ]
}

both!(a_narrow_scope_takes_nothing_from_an_administrator, async |server: TestServer| {
    let management = server.management().await;
    let actor = narrow(&server, &management, &["roles:write", "applications:write", "resources:write"]).await;
    let owner = &server.machine().client_id;
    let roles = management.get("/api/roles").await.expect(200).body;
    let role = find(&roles, "name", "Management API access")["id"].as_str().unwrap();
    let mut tried = losses(&server, &management, server.clock.now_ms() + 60_000).await;
    tried.push((Method::PATCH, format!("/api/roles/{role}"), json!({ "name": "mine" })));
    tried.push((Method::PATCH, format!("/api/applications/{owner}"), json!({ "name": "mine" })));
    tried.push((Method::PATCH, format!("/api/applications/{owner}/custom-data"), json!({ "mine": true })));
    let renamed = format!("/api/applications/{owner}/secrets/Default%20secret");
    tried.push((Method::PATCH, renamed, json!({ "name": "mine" })));
    let before = management.get(&format!("/api/applications/{owner}")).await.expect(200).body;
    for (method, path, body) in tried {
        actor.send(method, &path, body).await.expect_api_error(403, "auth.forbidden");
    }
    assert_eq!(management.get(&format!("/api/applications/{owner}")).await.expect(200).body, before);
    server.management().await.get("/api/users").await.expect(200);
    // Nor does it get hold of a role of the server's own, whatever that carries.
    let (id, _) = machine(&management, "backend").await;
    management.patch(&format!("/api/applications/{id}"), json!({ "isAdmin": true })).await.expect(200);
    let roles = management.get("/api/roles").await.expect(200).body;
    let internal = find(&roles, "name", "#internal:admin")["id"].as_str().unwrap();
    let path = format!("/api/applications/{id}/roles/{internal}");
    actor.delete(&path).await.expect_api_error(403, "auth.forbidden");
    // What opens nothing is theirs to take.
    let (plain, _) = machine(&management, "plain").await;
    actor.delete(&format!("/api/applications/{plain}")).await.expect(204);
});

both!(the_last_administrator_stays, async |server: TestServer| {
    let management = server.management().await;
    let owner = server.machine().client_id.clone();
    let losses = losses(&server, &management, server.clock.now_ms() + 60_000).await;
    for (method, path, body) in &losses {
        let answer = management.send(method.clone(), path, body.clone()).await;
        answer.expect_api_error(422, "application.last_administrator");
    }
    // Its type cannot be another one, nor can the resource and its scopes go.
    let path = format!("/api/applications/{owner}");
    management.patch(&path, json!({ "type": "SPA" })).await;
    assert_eq!(management.get(&path).await.expect(200)["type"], "MachineToMachine");
    let resources = management.get("/api/resources").await.expect(200).body;
    let resource = find(&resources, "indicator", &server.machine().resource)["id"].as_str().unwrap();
    let all = management_scopes(&server, &management, &["all"]).await.remove(0);
    for path in [format!("/api/resources/{resource}"), format!("/api/resources/{resource}/scopes/{all}")] {
        assert_eq!(management.delete(&path).await.status, 400);
    }
    // One without a secret that lasts is none.
    let (other, secret) = machine(&management, "other").await;
    let theirs = format!("/api/applications/{other}");
    management.patch(&theirs, json!({ "isAdmin": true })).await.expect(200);
    let key = format!("{theirs}/secrets/Default%20secret");
    management.patch(&key, json!({ "expiresAt": server.clock.now_ms() + 60_000 })).await.expect(200);
    for (method, path, body) in &losses {
        let answer = management.send(method.clone(), path, body.clone()).await;
        answer.expect_api_error(422, "application.last_administrator");
    }
    management.get("/api/users").await.expect(200);

    // With another administrator it may go.
    management.patch(&key, json!({ "expiresAt": null })).await.expect(200);
    for index in [8, 6] {
        let (method, path, body) = &losses[index];
        management.send(method.clone(), path, body.clone()).await.expect(204);
    }
    management.delete(&theirs).await.expect_api_error(422, "application.last_administrator");
    management.delete(&key).await.expect_api_error(422, "application.last_administrator");
    server.bearer(&credentials(&server, &other, &secret).access_token().await).get("/api/users").await.expect(200);
});

both!(a_secret_may_be_replaced_by_one_that_lasts, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/applications/{}/secrets", server.machine().client_id);
    let year = server.clock.now_ms() + 365 * 24 * 3_600_000;
    management.post(&path, json!({ "name": "next", "expiresAt": year })).await.expect(201);
    management.delete(&format!("{path}/Default%20secret")).await.expect(204);
    management.delete(&format!("{path}/next")).await.expect_api_error(422, "application.last_administrator");
});

both!(of_two_administrators_that_go_at_once_one_stays, async |server: TestServer| {
    let owner = server.machine().client_id.clone();
    let management = server.management().await;
    let roles = management.get("/api/roles").await.expect(200).body;
    let role = find(&roles, "name", "Management API access")["id"].as_str().unwrap().to_owned();
    for round in 0..8 {
        let (other, _) = machine(&management, &format!("other {round}")).await;
        management.patch(&format!("/api/applications/{other}"), json!({ "isAdmin": true })).await.expect(200);
        let (theirs, ours) = (format!("/api/applications/{other}"), format!("/api/applications/{owner}/roles/{role}"));
        let (one, two) = tokio::join!(management.delete(&theirs), management.delete(&ours));
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 422], "{:#} {:#}", one.body, two.body);
        if two.status == 204 {
            let body = json!({ "roleIds": [role] });
            management.post(&format!("/api/applications/{owner}/roles"), body).await.expect(201);
            management.delete(&theirs).await.expect(204);
        }
    }
});
