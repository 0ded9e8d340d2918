//! Failing transforms: the effect on a delivery, and on its replay.

use crate::fixtures::{all_in, deliveries, details, hook, path, role, server};
use claimsmith_test_support::{Actor, Answer, Home, Receiver, Reply, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const PLUGIN: &str = "/api/plugins/shape";

/// Uploads a transform, and has it serve with these settings.
async fn serve(management: &Actor, source: &str, settings: Value) {
    let request = management.request(Method::PUT, &format!("{PLUGIN}?activate=false"));
    let uploaded =
        Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source.to_owned())).await.expect(201);
    management.patch(PLUGIN, settings).await.expect(200);
    let version = uploaded["version"]["id"].as_str().unwrap();
    management.post(&format!("{PLUGIN}/versions/{version}/activate"), Value::Null).await.expect(200);
}

fn says(word: &str) -> String {
    format!("export const transformWebhook = () => ({{ body: {word:?} }});")
}

both!(a_retry_sends_the_same_and_a_replay_asks_again, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number == 0 { 500 } else { 200 })).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    serve(&management, &says("first"), json!({})).await;
    role(&management, "readers").await;
    let failed = deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    serve(&management, &says("second"), json!({})).await;
    server.clock.advance(Duration::from_secs(5));
    receiver.wait(2).await;
    deliveries(&management, &hook, all_in("delivered", 1)).await;
    let replay = format!("{}/deliveries/{}/replay", path(&hook), failed[0]["id"].as_str().unwrap());
    management.post(&replay, Value::Null).await.expect(204);
    let told = receiver.wait(3).await;
    let bodies: Vec<&[u8]> = told.iter().map(|one| one.body.as_ref()).collect();
    assert_eq!(bodies, [&b"first"[..], b"first", b"second"]);
    assert!(told.iter().all(|one| one.header("webhook-id") == told[0].header("webhook-id")));
});

both!(its_settings_say_what_a_failure_means, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let bound = hook(&management, &receiver.url(), &["Role.Created"], json!({ "name": "bound" })).await;
    let other = Receiver::start().await;
    hook(&management, &other.url(), &["Role.Created"], json!({ "name": "other" })).await;
    let throws = "export const transformWebhook = () => { throw new Error('no luck'); };";
    serve(&management, throws, json!({ "hooks": ["bound"], "onError": "original" })).await;
    role(&management, "first").await;
    assert_eq!(receiver.wait(1).await[0].json()["event"], "Role.Created");
    management.patch(PLUGIN, json!({ "onError": "drop" })).await.expect(200);
    role(&management, "second").await;
    let listed = deliveries(&management, &bound, |listed| listed.len() == 2 && listed[0]["state"] == "dropped").await;
    assert!(listed[0]["note"].as_str().unwrap().contains("shape"), "{}", listed[0]);
    management.patch(PLUGIN, json!({ "onError": "deny" })).await.expect_api_error(400, "guard.invalid_input");
    // Whoever is not bound to it hears of everything, as it was.
    other.wait(2).await;
    assert_eq!(receiver.count(), 1);
    let lines = management.get(&format!("{PLUGIN}/logs?level=error")).await.expect(200);
    assert!(lines.body.to_string().contains("no luck"), "{}", lines.body);
});

both!(a_transform_that_loops_holds_its_own_deliveries_alone, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (receiver, other) = (Receiver::start().await, Receiver::start().await);
    let bound = hook(&management, &receiver.url(), &["Role.Created"], json!({ "name": "bound" })).await;
    hook(&management, &other.url(), &["Role.Created"], json!({})).await;
    // Loops at work alone: one that loops when it is tried never serves.
    let loops = "export const transformWebhook = ({ event }) => { while (event.data.name === 'forever') {} };";
    serve(&management, loops, json!({ "hooks": ["bound"], "limits": { "deadlineMs": 50 } })).await;
    role(&management, "forever").await;
    let held = deliveries(&management, &bound, |listed| listed[0]["attempts"] == 1).await;
    assert_eq!(held[0]["note"], "plugin shape failed: timed_out");
    let attempt = details(&management, &bound, &held[0]).await["log"][0].clone();
    assert_eq!((&attempt["status"], &attempt["error"]), (&Value::Null, &held[0]["note"]));
    role(&management, "readers").await;
    assert_eq!(receiver.wait(1).await[0].json()["data"]["name"], "readers");
    other.wait(2).await;
});

both!(the_default_set_hides_addresses_once_it_is_bound, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    hook(&management, &receiver.url(), &["User.Created"], json!({ "name": "analytics" })).await;
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/plugins/redact.js");
    serve(&management, &std::fs::read_to_string(source).unwrap(), json!({ "hooks": ["analytics"] })).await;
    let user = json!({ "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": "4915112345678" });
    management.post("/api/users", user).await.expect(200);
    let told = receiver.wait(1).await.remove(0);
    let text = String::from_utf8(told.body.to_vec()).unwrap();
    assert!(!text.contains("ada@example.com") && !text.contains("4915112345678"), "{text}");
    assert_eq!(told.json()["data"]["username"], "ada");
});
