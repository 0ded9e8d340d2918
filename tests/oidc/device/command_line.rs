//! `claimsmith login`: the server's own application on a device, whose token the Management API takes for the rights of
//! whoever let it in (`docs/decisions/people-who-administer.md`).

use super::{asks, codes, device, let_in, poll};
use crate::sign_in::{Client, customer};
use claimsmith_domain::console::{BuiltInClient, ConsoleRole};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// The application.
fn command_line() -> Client {
    let id = BuiltInClient::CommandLine.id().into();
    Client { id, secret: String::new(), kind: ApplicationType::Native }
}

/// A plugin that adds a claim to every token of a user, and to ID tokens.
async fn add_a_claim_everywhere(server: &TestServer) {
    let management = server.management().await;
    let source = "export const getCustomJwtClaims = async () => ({ injected: true });";
    let request = management.request(Method::PUT, "/api/plugins/injects");
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
    let kinds = json!({ "tokenKinds": ["access-token", "id-token"] });
    management.patch("/api/plugins/injects", kinds).await.expect(200);
}

both!(it_acts_for_whoever_lets_it_in, async |server: TestServer| {
    add_a_claim_everywhere(&server).await;
    let (management, ada) = (server.management().await, customer(&server));
    let roles = json!({ "roleIds": [ConsoleRole::Support.role_id(), ConsoleRole::Read.role_id()] });
    management.post(&format!("/api/users/{ada}/roles"), roles).await.expect(201);
    let (browser, sessions) = server.signed_in(&[&ada]).await;
    let resource = format!("{}/console", server.report.base_url);
    let scope = "openid console:read console:support console:admin all";

    let client = command_line();
    let asked = asks(&server, &client, scope).with("resource", &resource).send().await.expect(200);
    let asked = codes(&asked);
    let_in(&browser, &asked).await;
    let tokens = poll(&server, &client, &asked).with("resource", &resource).send().await.expect(200);
    let mut granted: Vec<&str> = tokens["scope"].as_str().unwrap().split(' ').collect();
    granted.sort_unstable();
    assert_eq!(granted, ["console:read", "console:support"], "what they hold");
    let access_token = tokens.text("access_token");
    let claims = server.verify(&access_token, &resource).await.claims;
    let id_token = server.verify(&tokens.text("id_token"), &client.id).await.claims;
    assert!(claims["injected"].is_null() && id_token["injected"].is_null(), "{claims:?} {id_token:?}");
    // Everybody else's tokens have it.
    let other = device(&server).await;
    let theirs = codes(&asks(&server, &other, "openid").send().await.expect(200));
    let_in(&browser, &theirs).await;
    let theirs = poll(&server, &other, &theirs).send().await.expect(200);
    assert_eq!(server.verify(&theirs.text("id_token"), &other.id).await.claims["injected"], Value::Bool(true));

    let actor = server.bearer(&access_token);
    actor.get("/api/users").await.expect(200);
    actor.get("/api/sign-in-exp").await.expect_api_error(403, "auth.forbidden");
    // The sign-in that counts is the one of the browser.
    let marked = "/api/impersonations/nobody";
    actor.delete(marked).await.expect(404);
    server.clock.advance(Duration::from_secs(600));
    actor.delete(marked).await.expect_api_error(403, "console.fresh_sign_in_required");
    actor.get("/api/users").await.expect(200);
    // And the token ends with its session.
    let session = format!("/api/users/{ada}/sessions/{}", sessions[0]);
    server.management().await.delete(&session).await.expect(204);
    actor.get("/api/users").await.expect_api_error(401, "auth.unauthorized");
});
