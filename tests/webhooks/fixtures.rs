//! Fixtures of these tests.

use claimsmith_test_support::{Actor, Home, TestServer, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A server that looks at its clock, which the test moves, many times a second.
pub(crate) async fn server(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap()
}

/// Moves the clock on, by so much that tokens expire, and answers an operator with a new one.
pub(crate) async fn later(server: &TestServer, by: Duration) -> Actor {
    server.clock.advance(by);
    server.management().await
}

/// Creates a hook for these events with further settings, and answers it.
pub(crate) async fn hook(management: &Actor, url: &str, events: &[&str], settings: Value) -> Value {
    let mut body = json!({ "events": events, "config": { "url": url } });
    body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    management.post("/api/hooks", body).await.expect(201).body
}

/// The path of a hook.
pub(crate) fn path(hook: &Value) -> String {
    format!("/api/hooks/{}", hook["id"].as_str().unwrap())
}

/// Creates a role, which is an event, and answers its id.
pub(crate) async fn role(management: &Actor, name: &str) -> String {
    let body = json!({ "name": name, "description": "for a test", "type": "User" });
    management.post("/api/roles", body).await.expect(200).text("id")
}

/// Changes a role, which is an event.
pub(crate) async fn rename(management: &Actor, role_id: &str, description: &str) {
    management.patch(&format!("/api/roles/{role_id}"), json!({ "description": description })).await.expect(200);
}

/// Waits until the deliveries of a hook, newest first, are as the test wants them, and answers them.
pub(crate) async fn deliveries(management: &Actor, hook: &Value, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let path = format!("{}/deliveries?page_size=100", path(hook));
    until("deliveries", async || {
        let listed = management.get(&path).await.expect(200).body.as_array().unwrap().clone();
        wanted(&listed).then_some(listed)
    })
    .await
}

/// Whether all of them, and so many, are in this state.
pub(crate) fn all_in(state: &str, count: usize) -> impl Fn(&[Value]) -> bool {
    move |listed| listed.len() == count && listed.iter().all(|delivery| delivery["state"] == state)
}

/// One delivery with its attempts.
pub(crate) async fn details(management: &Actor, hook: &Value, delivery: &Value) -> Value {
    let path = format!("{}/deliveries/{}", path(hook), delivery["id"].as_str().unwrap());
    management.get(&path).await.expect(200).body
}
