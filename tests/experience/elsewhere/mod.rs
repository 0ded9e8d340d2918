//! Signing in at other servers: social and enterprise connectors, and what must not come of them.

mod administrators;
mod attacks;
mod enterprise;
mod enterprise_members;
mod linking;
mod oauth;
mod social;
mod two_servers;

use crate::browser::{Browser, settings};
use claimsmith_test_support::{Answer, Home, TestServer, Upstream, parameters};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the pages of the tests know their answers by.
pub(crate) const STATE: &str = "a state of the page";
/// The address of the person at the upstream.
pub(crate) const ADA: &str = "ada@example.com";

/// A server that may ask upstreams on this machine.
pub(crate) async fn server(home: &Arc<Home>) -> TestServer {
    let changes = [("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8"), ("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")];
    TestServer::start(home, &changes).await.unwrap()
}

/// A connector of an upstream, which people sign in with; answers its id.
pub(crate) async fn connector(server: &TestServer, upstream: &Upstream, target: &str) -> String {
    connector_with(server, target, upstream.config(), json!({})).await
}

/// The same with this configuration, and more of the connector.
pub(crate) async fn connector_with(server: &TestServer, target: &str, config: Value, more: Value) -> String {
    let mut body = json!({ "connectorId": "oidc", "metadata": { "target": target }, "config": config });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    let management = server.management().await;
    let id = management.post("/api/connectors", body).await.expect(200).text("id");
    let targets = management.get("/api/sign-in-exp").await.expect(200)["socialSignInConnectorTargets"].clone();
    let mut targets = targets.as_array().cloned().unwrap();
    targets.push(json!(target));
    settings(server, json!({ "socialSignInConnectorTargets": targets })).await;
    id
}

/// Where an answer of a connector comes to.
pub(crate) fn redirect_uri(server: &TestServer, connector_id: &str) -> String {
    format!("{}/callback/{connector_id}", server.report.base_url)
}

/// Sends somebody to a connector.
pub(crate) async fn leave(browser: &mut Browser, server: &TestServer, door: &str, connector_id: &str) -> Answer {
    let body = json!({ "state": STATE, "redirectUri": redirect_uri(server, connector_id) });
    browser.post(&format!("/verification/{door}/{connector_id}/authorization-uri"), body).await
}

/// Brings an answer back.
pub(crate) async fn bring(
    browser: &mut Browser,
    door: &str,
    connector_id: &str,
    verification_id: &Value,
    data: Value,
) -> Answer {
    let body = json!({ "verificationId": verification_id, "connectorData": data });
    browser.post(&format!("/verification/{door}/{connector_id}/verify"), body).await
}

/// Goes to an upstream, signs in there and comes back.
pub(crate) async fn visit(
    browser: &mut Browser,
    server: &TestServer,
    upstream: &Upstream,
    door: &str,
    connector_id: &str,
) -> Answer {
    let sent = leave(browser, server, door, connector_id).await.expect(200);
    let code = upstream.let_in(&sent.text("authorizationUri"));
    bring(browser, door, connector_id, &sent["verificationId"], json!({ "state": STATE, "code": code })).await
}

/// Registers somebody who comes from an upstream; answers the id of the user.
pub(crate) async fn register(
    server: &TestServer,
    upstream: &Upstream,
    door: &str,
    connector_id: &str,
) -> (Browser, String) {
    let mut browser = Browser::new(server).await;
    browser.start("Register").await.expect(204);
    let verified = visit(&mut browser, server, upstream, door, connector_id).await.expect(200);
    browser.identify(&verified).await.expect(201);
    let id = browser.state().await["userId"].as_str().unwrap().to_owned();
    browser.submit().await.expect(200);
    (browser, id)
}

/// Lets people be known by anything, with nothing that they must have.
pub(crate) async fn ask_nothing(server: &TestServer) {
    let by = |identifier: &str| json!({ "identifier": identifier, "password": true, "verificationCode": false, "isPasswordPrimary": true });
    let sign_up = json!({ "identifiers": [], "password": true, "verify": false });
    settings(server, json!({ "signUp": sign_up, "signIn": { "methods": [by("username"), by("email")] } })).await;
}

/// A user, as the Management API shows them.
pub(crate) async fn user_of(server: &TestServer, id: &str) -> Value {
    let path = format!("/api/users/{id}?includeSsoIdentities=true");
    server.management().await.get(&path).await.expect(200).body
}

/// The parameters of the address of an answer.
pub(crate) fn asked(sent: &Answer) -> BTreeMap<String, String> {
    parameters(&sent.text("authorizationUri"))
}
