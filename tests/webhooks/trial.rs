//! Test deliveries to a receiver, and rotation of signing keys during deliveries.

use crate::fixtures::{all_in, deliveries, details, hook, path, role, server};
use claimsmith_domain::event::EventType;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::webhooks::{self, Event};
use claimsmith_storage::hooks;
use claimsmith_test_support::{Home, Received, Receiver, Reply, both};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use std::sync::Arc;
use std::time::Duration;

both!(a_receiver_is_tried_with_made_up_payloads, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (own, tried) = (Receiver::start().await, Receiver::start().await);
    let hook = hook(&management, &own.url(), &["Role.Created"], json!({})).await;
    let test = format!("{}/test", path(&hook));
    let config = json!({ "url": tried.url(), "headers": { "x-trial": "yes" } });
    let body = json!({ "events": ["User.Created", "PostSignIn", "User.Created"], "config": config });
    assert_eq!(management.post(&test, body).await.expect(204).body, Value::Null);
    let mut told = tried.wait(2).await;
    told.sort_by_key(|one| one.json()["event"].as_str().unwrap().to_owned());
    assert_eq!((told.len(), own.received().len()), (2, 0));
    let (sign_in, created) = (told[0].json(), told[1].json());
    assert_eq!((&sign_in["event"], &sign_in["user"]["id"]), (&json!("PostSignIn"), &json!("fake-id")));
    assert_eq!(sign_in["application"]["id"], "fake-spa-application-id");
    assert_eq!((&created["path"], &created["data"]), (&json!("/fake-path/fake-id"), &json!({ "result": "success" })));
    assert_eq!((&created["hookId"], told[0].header("x-trial")), (&hook["id"], "yes"));
    for one in &told {
        Webhook::new(hook["signingSecret"].as_str().unwrap()).unwrap().verify(&one.body, &one.headers).unwrap();
    }
    // Nothing of it is kept.
    let listed = management.get(&format!("{}/deliveries", path(&hook))).await.expect(200);
    assert_eq!(listed.body, json!([]));

    let refuses = Receiver::answering(|_, _| Reply::Status(418, None, "no".to_owned())).await;
    let body = json!({ "events": ["User.Created"], "config": { "url": refuses.url() } });
    let refused = management.post(&test, body).await;
    refused.expect_api_error(422, "hook.endpoint_responded_with_error");
    assert_eq!(refused["data"], json!({ "responseStatus": 418, "responseBody": "no" }));
    let body = json!({ "events": ["User.Created"], "config": { "url": "http://127.0.0.1:9" } });
    management.post(&test, body).await.expect_api_error(422, "hook.send_test_payload_failed");
    let good = json!({ "url": tried.url() });
    for (body, code) in [
        (json!({ "events": [], "config": good }), "hook.missing_events"),
        (json!({ "events": ["User.*"], "config": good }), "guard.invalid_input"),
        (json!({ "events": ["User.Created"] }), "guard.invalid_input"),
        (json!({ "events": [], "config": { "url": "ftp://a.test", "retries": 4 } }), "hook.missing_events"),
    ] {
        management.post(&test, body).await.expect_api_error(400, code);
    }
    let nobody = json!({ "events": ["User.Created"], "config": good });
    management.post("/api/hooks/nobody/test", nobody).await.expect_api_error(404, "entity.not_exists_with_id");
});

both!(an_address_is_checked_when_it_is_used, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    for (url, part) in [
        ("", "URL"),
        ("not_work_url", "Failed to parse URL from not_work_url"),
        ("file:///etc/passwd", "only http and https"),
        ("https://", "URL"),
        ("mailto:ada@a.test", "only http and https"),
        ("https://a.test:99999/", "URL"),
    ] {
        let body = json!({ "events": ["User.Created"], "config": { "url": url } });
        let refused = management.post("/api/hooks", body.clone()).await;
        refused.expect_api_error(422, "request.invalid_input");
        assert!(refused.text("message").contains("config.url"), "{url}: {}", refused.body);
        // One that was stored before it was refused.
        let hook = hook(&management, "https://a.test/", &["Role.Created"], json!({})).await;
        let mut tx = server.begin().await;
        let mut stored = hooks::find(&mut tx, &hook["id"].as_str().unwrap().into()).await.unwrap().unwrap();
        stored.config.0["url"] = json!(url);
        assert!(hooks::update(&mut tx, &stored).await.unwrap());
        tx.commit().await.unwrap();
        let tried = management.post(&format!("{}/test", path(&hook)), body).await;
        tried.expect_api_error(422, "hook.send_test_payload_failed");
        assert!(tried.text("message").contains(part), "{url}: {}", tried.body);
    }
    role(&management, "readers").await;
    for hook in management.get("/api/hooks").await.expect(200).body.as_array().unwrap() {
        let listed = deliveries(&management, hook, |listed| listed[0]["attempts"] == 1).await;
        let log = details(&management, hook, &listed[0]).await["log"].clone();
        assert_eq!((&log[0]["status"], &log[0]["error"]), (&Value::Null, &listed[0]["note"]));
        assert!(
            listed[0]["note"].as_str().unwrap().contains("http") || listed[0]["note"].as_str().unwrap().contains("URL")
        );
    }
});

both!(what_is_beyond_the_base_catalogue_is_asked_for_by_name, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let names = ["Identifier.Lockout", "Message.RateLimited", "PostSignInAdaptiveMfaTriggered", "Grant.LimitExceeded"];
    let (all, named) = (Receiver::start().await, Receiver::start().await);
    hook(&management, &all.url(), &["*"], json!({})).await;
    let hook_ = hook(&management, &named.url(), &[names[0], "TrustedDevice.*"], json!({})).await;
    let body = json!({ "events": names, "config": { "url": named.url() } });
    management.post(&format!("{}/test", path(&hook_)), body).await.expect(204);
    let mut told: Vec<_> = named.wait(4).await.iter().map(|one| one.json()["event"].clone()).collect();
    told.sort_by_key(ToString::to_string);
    assert_eq!(told, [names[3], names[0], names[1], names[2]]);
    // As the feature will, when it comes.
    let mut tx = server.begin().await;
    for event in [EventType::IdentifierLockout, EventType::TrustedDeviceCreated, EventType::RoleDeleted] {
        webhooks::emit(&mut tx, &Event::new(event, 200_u16), &RequestOrigin::default(), 0).await.unwrap();
    }
    tx.commit().await.unwrap();
    let told = named.wait(6).await;
    let mut told: Vec<_> = told[4..].iter().map(|one| one.json()["event"].clone()).collect();
    told.sort_by_key(ToString::to_string);
    assert_eq!(told, ["Identifier.Lockout", "TrustedDevice.Created"]);
    assert_eq!(all.wait(1).await[0].json()["event"], "Role.Deleted");
    assert_eq!((all.count(), named.count()), (1, 6));
});

/// Whether a delivery is signed under this secret.
fn verifies(secret: &Value, told: &Received) -> bool {
    Webhook::new(secret.as_str().unwrap()).unwrap().verify(&told.body, &told.headers).is_ok()
}

both!(a_renewed_key_signs_beside_the_old_one_for_a_while, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let first = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    let renew = format!("{}/signing-key", path(&first));
    let second = management.patch(&format!("{renew}?overlap=60"), Value::Null).await.expect(200).body;
    assert_ne!((&first["signingSecret"], &first["publicKey"]), (&second["signingSecret"], &second["publicKey"]));
    role(&management, "first").await;
    let told = receiver.wait(1).await.remove(0);
    assert!(verifies(&first["signingSecret"], &told) && verifies(&second["signingSecret"], &told));
    let signatures: Vec<&str> = told.header("webhook-signature").split(' ').collect();
    assert_eq!(signatures.len(), 4);

    // An attempt whose lease runs out before its result is written is made again: the clock moves when it is.
    deliveries(&management, &first, all_in("delivered", 1)).await;
    server.clock.advance(Duration::from_secs(61));
    role(&management, "second").await;
    let told = receiver.wait(2).await.remove(1);
    assert!(!verifies(&first["signingSecret"], &told) && verifies(&second["signingSecret"], &told));
    let third = management.patch(&format!("{renew}?overlap=0"), Value::Null).await.expect(200).body;
    role(&management, "third").await;
    let told = receiver.wait(3).await.remove(2);
    assert!(!verifies(&second["signingSecret"], &told) && verifies(&third["signingSecret"], &told));
    let too_long = management.patch(&format!("{renew}?overlap=2592001"), Value::Null).await;
    too_long.expect_api_error(400, "guard.invalid_input");
});
