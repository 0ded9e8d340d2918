//! A receiver is tried before anything happens, and signing keys are renewed while deliveries go on.

use crate::fixtures::{hook, path, role, server};
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
        (json!({ "events": ["User.Created"], "config": { "url": "ftp://a.test" } }), "guard.invalid_input"),
    ] {
        management.post(&test, body).await.expect_api_error(400, code);
    }
    let nobody = json!({ "events": ["User.Created"], "config": good });
    management.post("/api/hooks/nobody/test", nobody).await.expect_api_error(404, "entity.not_exists_with_id");
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
