//! Linking accounts of connectors by a back end: `POST /api/connectors/{id}/authorization-uri`, and
//! `POST /api/users/{userId}/identities`.

use crate::fixtures::{narrow, user};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Home, TestServer, Upstream, both};
use serde_json::{Value, json};
use std::sync::Arc;

const STATE: &str = "a state of the back end";
const BACK: &str = "https://app.example.com/linked";

async fn server(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap()
}

both!(a_back_end_links_what_somebody_brought_back, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "name": "Ada" }));
    let body = json!({ "connectorId": "oidc", "metadata": { "target": "work" }, "config": upstream.config() });
    let id = management.post("/api/connectors", body).await.expect(200).text("id");
    let path = format!("/api/connectors/{id}/authorization-uri");
    let attempt = json!({ "state": STATE, "redirectUri": BACK });
    management.post(&path, attempt.clone()).await.expect_api_error(422, "user.sign_in_method_not_enabled");
    management.patch("/api/sign-in-exp", json!({ "socialSignInConnectorTargets": ["work"] })).await.expect(200);
    let away = management.post(&path, attempt.clone()).await.expect(200).text("redirectTo");
    // Nothing is kept, and it is the same address each time.
    assert_eq!(management.post(&path, attempt).await.expect(200).text("redirectTo"), away);
    let other = json!({ "state": "another", "redirectUri": BACK });
    let other = management.post(&path, other).await.expect(200).text("redirectTo");
    let secret = |address: &str| claimsmith_test_support::parameters(address)["code_challenge"].clone();
    assert_ne!(secret(&other), secret(&away));

    let users = async |name: &str| {
        let made = management.post("/api/users", json!({ "username": name })).await.expect(200);
        format!("/api/users/{}/identities", made.text("id"))
    };
    let (ada, grace) = (users("ada").await, users("grace").await);
    let brought = |change: &dyn Fn(&mut Value)| {
        let data = json!({ "code": upstream.let_in(&away), "state": STATE, "redirectUri": BACK });
        let mut body = json!({ "connectorId": id, "connectorData": data });
        change(&mut body);
        body
    };
    let spoiled: [&dyn Fn(&mut Value); 4] = [
        &|body| body["connectorData"]["state"] = json!("another"),
        &|body| body["connectorData"]["redirectUri"] = json!("https://evil.example.com/"),
        &|body| body["connectorData"]["code"] = json!("guessed"),
        &|body| body["connectorData"]["error"] = json!("access_denied"),
    ];
    for change in spoiled {
        let refused = management.post(&ada, brought(change)).await;
        assert_eq!(refused.status, 401, "{:#}", refused.body);
    }
    for member in ["code", "state", "redirectUri"] {
        let refused = management.post(&ada, brought(&|body| body["connectorData"][member] = json!([1]))).await;
        assert_eq!(refused.status, 400, "{member}: {:#}", refused.body);
    }
    let unknown = brought(&|body| body["connectorId"] = json!("nobody"));
    management.post(&ada, unknown).await.expect_api_error(404, "entity.not_found");
    management.post("/api/users/nobody/identities", brought(&|_| {})).await.expect(404);

    let body = brought(&|_| {});
    let all = management.post(&ada, body.clone()).await.expect(200);
    assert_eq!(all["work"]["userId"], "ada");
    // A code counts once, and an account is one person's.
    management.post(&ada, body).await.expect(401);
    let taken = management.post(&grace, brought(&|_| {})).await;
    taken.expect_api_error(422, "user.identity_already_in_use");
    let logs = management.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    assert!(!logs.contains(STATE), "{logs}");
});

both!(nobody_but_administrators_links_an_account_to_one, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada" }));
    let body = json!({ "connectorId": "oidc", "metadata": { "target": "work" }, "config": upstream.config() });
    let id = management.post("/api/connectors", body).await.expect(200).text("id");
    management.patch("/api/sign-in-exp", json!({ "socialSignInConnectorTargets": ["work"] })).await.expect(200);
    let attempt = json!({ "state": STATE, "redirectUri": BACK });
    let away = management.post(&format!("/api/connectors/{id}/authorization-uri"), attempt).await.expect(200);
    let ada = user(&management, "ada").await;
    let role = json!({ "roleIds": [ConsoleRole::Read.role_id()] });
    management.post(&format!("/api/users/{ada}/roles"), role).await.expect(201);
    let brought = || {
        let code = upstream.let_in(&away.text("redirectTo"));
        let data = json!({ "code": code, "state": STATE, "redirectUri": BACK });
        json!({ "connectorId": id, "connectorData": data })
    };
    let path = format!("/api/users/{ada}/identities");
    let machine = narrow(&server, &management, &["users:write"]).await;
    machine.post(&path, brought()).await.expect_api_error(403, "auth.forbidden");
    assert_eq!(management.get(&format!("/api/users/{ada}")).await.expect(200)["identities"], json!({}));
    management.post(&path, brought()).await.expect(200);
});
