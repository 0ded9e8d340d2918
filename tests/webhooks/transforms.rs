//! Transforms of deliveries: the transformed body is what is signed and sent, at every attempt.

use crate::fixtures::{all_in, deliveries, details, hook, role, server};
use claimsmith_test_support::{Actor, Answer, Home, Receiver, Reply, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const STAMPS: &str = "export const transformWebhook = ({ event }) => ({
  body: { kind: event.event, name: event.data.name, stamp: crypto.randomUUID() },
  headers: { 'content-type': 'application/x-stamp+json', 'x-kind': event.event, 'webhook-id': 'forged' },
  path: `roles/${event.data.name}`,
});";

async fn upload(management: &Actor, source: &'static str) {
    let request = management.request(Method::PUT, "/api/plugins/stamp");
    Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source)).await.expect(201);
}

both!(what_a_transform_made_is_sent_at_every_attempt, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number == 1 { 500 } else { 200 })).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({ "name": "CRM" })).await;
    role(&management, "plain").await;
    let plain = receiver.wait(1).await.remove(0);
    assert_eq!(
        (plain.json()["event"].clone(), plain.header("content-type")),
        (json!("Role.Created"), "application/json")
    );

    // It serves the next delivery, without a restart.
    upload(&management, STAMPS).await;
    role(&management, "readers").await;
    deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    server.clock.advance(Duration::from_secs(5));
    let received = receiver.wait(3).await;
    let (first, again) = (&received[1], &received[2]);
    assert_eq!((first.json()["kind"].clone(), first.json()["name"].clone()), (json!("Role.Created"), json!("readers")));
    assert_eq!((&first.body, &first.path), (&again.body, &again.path), "it ran once, and its stamp is the same");
    assert_eq!(first.path, format!("{}/roles/readers", plain.path.trim_end_matches('/')));
    assert_eq!((first.header("content-type"), first.header("x-kind")), ("application/x-stamp+json", "Role.Created"));
    assert_eq!(first.header("webhook-id"), again.header("webhook-id"));
    assert_ne!(first.header("webhook-id"), "forged");

    let listed = deliveries(&management, &hook, all_in("delivered", 2)).await;
    let shown = details(&management, &hook, &listed[0]).await;
    let run = &shown["transforms"][0];
    assert_eq!(
        (&run["plugin"], &run["outcome"], &shown["path"]),
        (&json!("stamp"), &json!("ok"), &json!("roles/readers"))
    );

    management.delete("/api/plugins/stamp").await.expect(204);
    role(&management, "writers").await;
    assert_eq!(receiver.wait(4).await[3].json()["event"], "Role.Created");
});

both!(a_transform_drops_or_holds_a_delivery, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    upload(&management, "export const transformWebhook = ({ event }) => ({ drop: `no ${event.data.name}` });").await;
    role(&management, "readers").await;
    let dropped = deliveries(&management, &hook, all_in("dropped", 1)).await;
    assert_eq!((&dropped[0]["note"], &dropped[0]["attempts"]), (&json!("plugin stamp: no readers"), &json!(0)));
    let shown = details(&management, &hook, &dropped[0]).await;
    assert_eq!((&shown["transforms"][0]["plugin"], &shown["log"]), (&json!("stamp"), &json!([])));

    // One that fails holds what it applies to until it works again.
    upload(&management, "export const transformWebhook = () => { throw new Error('no luck'); };").await;
    role(&management, "writers").await;
    let held = deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    assert!(held[0].to_string().contains("plugin stamp failed: failed"), "{}", held[0]);
    assert_eq!(receiver.count(), 0, "nothing was sent untransformed");
    upload(&management, "export const transformWebhook = ({ event }) => ({ body: event.data.name });").await;
    server.clock.advance(Duration::from_secs(5));
    assert_eq!(receiver.wait(1).await[0].body, "writers");
});
