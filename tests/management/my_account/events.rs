//! The events of changes of one's own account, written with the change.

use super::{ALL, Casey, casey, settings, sign_in_settings};
use claimsmith_storage::hooks;
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// The events of a hook that gets all of users.
pub(super) async fn told(server: &TestServer, hook: &str) -> Vec<Value> {
    let events = hooks::outbox::events_for(&mut server.begin().await, &hook.into()).await.unwrap();
    events.into_iter().map(|event| serde_json::from_str(&event.payload).unwrap()).collect()
}

/// Does something, which makes this event and no other.
async fn tells(server: &TestServer, hook: &str, casey: &Casey, done: (Method, &str, Value), event: &str) -> Value {
    server.clock.advance(std::time::Duration::from_millis(1));
    let before = told(server, hook).await.len();
    let (method, path, body) = done;
    let answer = casey.proved(method.clone(), path, body).await;
    assert!(answer.status < 300, "{path}: {:#}", answer.body);
    let mut events = told(server, hook).await;
    assert_eq!(events.len(), before + 1, "{path}");
    let told = events.pop().unwrap();
    assert_eq!((&told["event"], &told["path"]), (&json!(event), &json!(format!("/my-account{path}"))), "{told:#}");
    assert_eq!((&told["method"], &told["status"]), (&json!(method.as_str()), &json!(answer.status)), "{told:#}");
    assert_eq!(told["data"]["id"], json!(casey.id));
    told
}

both!(each_change_is_told, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    settings(&server, json!({ "deletionEnabled": true })).await;
    sign_in_settings(&server, json!({ "mfa": { "factors": ["BackupCode", "Totp"], "policy": "NoPrompt" } })).await;
    let management = server.management().await;
    let identity = format!("/api/users/{}/identities/github", casey.id);
    management.put(&identity, json!({ "userId": "1" })).await.expect(201);
    let body = json!({
        "events": ["User.Created", "User.Deleted", "User.Data.Updated"], "config": { "url": "https://receiver.test" },
    });
    let hook = management.post("/api/hooks", body).await.expect(201).text("id");
    let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    for done in [
        (Method::PATCH, "", json!({ "name": "C" })),
        (Method::PATCH, "/profile", json!({ "nickname": "C" })),
        (Method::DELETE, "/primary-email", Value::Null),
        (Method::DELETE, "/identities/github", Value::Null),
        (Method::POST, "/mfa-verifications", json!({ "type": "Totp", "secret": secret })),
        (Method::PATCH, "/mfa-settings", json!({ "skipMfaOnSignIn": true })),
    ] {
        let told = tells(&server, &hook, &casey, done, "User.Data.Updated").await;
        assert!(!told.to_string().contains(secret));
    }
    tells(&server, &hook, &casey, (Method::DELETE, "", Value::Null), "User.Deleted").await;
});

both!(what_is_refused_is_not_told, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let management = server.management().await;
    let body = json!({ "events": ["User.Data.Updated"], "config": { "url": "https://receiver.test" } });
    let hook = management.post("/api/hooks", body).await.expect(201).text("id");
    for (method, path, body) in [
        (Method::PATCH, "", json!({ "username": "casey_2" })),
        (Method::PATCH, "", json!({ "customData": {} })),
        (Method::DELETE, "/primary-email", Value::Null),
        (Method::DELETE, "", Value::Null),
    ] {
        assert!(casey.send("nothing", method, path, body).await.status >= 400);
    }
    assert_eq!(told(&server, &hook).await, [] as [Value; 0]);
});
