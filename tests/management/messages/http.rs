//! E-mails and text messages by a request to an operator's own service.

use super::{connect, has_failed, server, server_with, until_queued, write, write_more};
use claimsmith_test_support::{Home, Receiver, Reply, both};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

both!(a_service_gets_what_it_needs_to_send, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    for (factory, channel, to) in [("http-email", "Email", "ada@example.com"), ("http-sms", "Sms", "16502530000")] {
        let receiver = Receiver::start().await;
        let config = json!({ "endpoint": receiver.url(), "authorization": "Bearer correct-horse" });
        connect(&management, factory, config).await;
        let contents = json!({
            "code": "123456", "application": { "id": "a1", "name": "Shop" }, "user": { "id": "u1" }, "ip": "203.0.113.7",
        });
        let id = write_more(&server, (channel, to), "de", contents).await;
        let [received] = receiver.wait(1).await.try_into().unwrap();
        let expected = json!({
            "to": to, "type": "SignIn", "ip": "203.0.113.7",
            "payload": {
                "code": "123456", "locale": "de", "application": { "id": "a1", "name": "Shop" }, "user": { "id": "u1" },
            },
        });
        assert_eq!(received.json(), expected);
        assert_eq!(received.header("authorization"), "Bearer correct-horse");
        assert_eq!(received.header("content-type"), "application/json");
        assert_eq!(received.header("idempotency-key"), id.as_str());
        until_queued(&server, &id, |found| found.state == "delivered").await;
    }
});

both!(a_service_that_fails_is_asked_again_when_it_says, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| match number {
        0 => Reply::Status(500, None, "123456".to_owned()),
        1 => Reply::Status(429, Some(("retry-after", "90".to_owned())), String::new()),
        _ => Reply::from(200),
    })
    .await;
    connect(&management, "http-sms", json!({ "endpoint": receiver.url() })).await;
    let id = write(&server, "Sms", "16502530000", "123456").await;
    let failed = until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(failed.note.as_deref(), Some("the service answered 500"));
    let wait = failed.due_at.unwrap() - server.clock.now_ms();
    assert!((3_600..=4_400).contains(&wait), "{wait}");
    server.clock.advance(Duration::from_millis(wait.unsigned_abs()));
    let failed = until_queued(&server, &id, has_failed(2)).await;
    assert_eq!(failed.due_at.unwrap() - server.clock.now_ms(), 90_000);
    server.clock.advance(Duration::from_secs(90));
    let received = receiver.wait(3).await;
    until_queued(&server, &id, |found| found.state == "delivered").await;
    assert!(received.iter().all(|one| one.header("idempotency-key") == id.as_str()));
});

both!(a_slow_service_ends_an_attempt_and_a_private_one_is_refused, async |home: Arc<Home>| {
    let server = server_with(&home, &[("CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", "200")]).await;
    let management = server.management().await;
    let slow = Receiver::answering(|_, _| Reply::Hang).await;
    connect(&management, "http-sms", json!({ "endpoint": slow.url() })).await;
    let id = write(&server, "Sms", "16502530000", "123456").await;
    let failed = until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(failed.note.as_deref(), Some("no answer within 200 ms"));
    server.stop().await;

    // Demo data open webhooks to this machine; messages have to be allowed.
    let server = server_with(&home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "")]).await;
    server.clock.advance(Duration::from_secs(10));
    let refused = until_queued(&server, &id, has_failed(2)).await;
    assert!(refused.note.as_deref().unwrap_or_default().contains("egress.allowed_networks"), "{:?}", refused.note);
    assert_eq!(slow.count(), 1);
});
