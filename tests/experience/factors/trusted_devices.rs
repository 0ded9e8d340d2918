//! Trusted devices: where a second factor was proved, and is not asked for again for a while.

use super::{MULTI_FACTOR, amr, give, policy, wrong};
use crate::browser::{Browser, PASSWORD, settings, user};
use claimsmith_identity::retention;
use claimsmith_storage::{audit, hooks};
use claimsmith_test_support::{Answer, TestServer, both, one_time_password};
use serde_json::{Value, json};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(86_400);
const REQUIRED: &str = "session.mfa.require_mfa_verification";
const PATH: &str = "/profile/mfa/trusted-device";

/// A server whose people trust devices for seven days, with a user who has an authenticator; answers the user and the
/// secret.
async fn start(server: &TestServer) -> (String, String) {
    policy(server, "UserControlled", &["Totp"]).await;
    settings(server, json!({ "trustedDevice": { "enabled": true, "durationDays": 7 } })).await;
    let id = user(server, "ada").await;
    let (secret, _) = give(server, &id).await;
    (id, secret)
}

/// Signs in, proves a one-time password, and trusts the browser.
async fn trust(server: &TestServer, secret: &str) -> Browser {
    server.clock.advance(Duration::from_secs(30));
    let mut browser = Browser::new(server).await;
    browser.identified("ada").await;
    browser.totp(&one_time_password(server, secret)).await.expect(200);
    browser.post(PATH, Value::Null).await.expect(204);
    browser.submit().await.expect(200);
    assert!(browser.trusted.is_some());
    browser
}

/// Signs in again with the password alone.
async fn again(server: &TestServer, browser: &mut Browser) -> Answer {
    browser.authorize(server).await;
    browser.identified("ada").await;
    browser.submit().await
}

/// The devices of a user.
async fn devices(server: &TestServer, id: &str) -> Vec<Value> {
    let path = format!("/api/users/{id}/trusted-devices");
    let listed = server.management().await.get(&path).await.expect(200);
    assert!(listed.header("total-number").is_some());
    listed.body.as_array().unwrap().clone()
}

both!(a_device_that_is_trusted_is_not_asked, async |server: TestServer| {
    let (id, secret) = start(&server).await;
    let mut browser = trust(&server, &secret).await;
    assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
    let cookie = browser.trusted.clone();
    server.clock.advance(DAY);
    again(&server, &mut browser).await.expect(200);
    // Nothing says that a second factor was proved in this sign-in.
    assert_eq!(amr(&server, &browser).await, ["pwd"]);
    assert_eq!(browser.trusted, cookie);
    let listed = devices(&server, &id).await;
    assert_eq!(listed.len(), 1);
    let now = claimsmith_domain::clock::iso8601(server.clock.now_ms());
    assert_eq!(listed[0]["lastUsedAt"], json!(now));
    assert!(!json!(listed).to_string().contains(cookie.as_deref().unwrap()), "{listed:?}");
    // Elsewhere they are asked, also somebody who guesses a cookie.
    let mut other = Browser::new(&server).await;
    again(&server, &mut other).await.expect_api_error(403, REQUIRED);
    other.trusted = Some("a".repeat(43));
    again(&server, &mut other).await.expect_api_error(403, REQUIRED);
    // The submission says by which device.
    let entries = audit::list_by_key(&mut server.begin().await, "Interaction.SignIn.Submit", 10).await.unwrap();
    assert!(entries.iter().any(|entry| entry.payload["trustedDeviceId"] == listed[0]["id"]));
    // It ends by itself.
    server.clock.advance(6 * DAY);
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    assert_eq!(devices(&server, &id).await, [] as [Value; 0]);
    server.clock.advance(DAY);
    assert!(retention::delete_expired(&server.app).await.unwrap() > 0);
});

both!(only_who_proved_a_factor_trusts_a_device, async |server: TestServer| {
    let (id, secret) = start(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    browser.post(PATH, Value::Null).await.expect_api_error(404, "session.identifier_not_found");
    browser.identified("ada").await;
    assert_eq!(browser.state().await["trustedDevice"], json!({ "canCreate": false, "durationDays": 7 }));
    browser.post(PATH, Value::Null).await.expect_api_error(400, "session.verification_failed");
    browser.totp(&wrong(&server, &secret)).await.expect_api_error(400, "session.mfa.invalid_totp_code");
    browser.post(PATH, Value::Null).await.expect_api_error(400, "session.verification_failed");
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    assert_eq!(browser.state().await["trustedDevice"]["canCreate"], true);
    browser.post(PATH, Value::Null).await.expect(204);
    // What the settings do not take when it is submitted is not written.
    settings(&server, json!({ "trustedDevice": { "enabled": null } })).await;
    browser.submit().await.expect(200);
    assert_eq!((browser.trusted.clone(), devices(&server, &id).await.len()), (None, 0));
    server.clock.advance(Duration::from_secs(30));
    let mut other = Browser::new(&server).await;
    other.identified("ada").await;
    other.totp(&one_time_password(&server, &secret)).await.expect(200);
    assert_eq!(other.state().await.get("trustedDevice"), None);
    other.post(PATH, Value::Null).await.expect_api_error(403, "auth.forbidden");
    // A registration is none, and neither is somebody without a factor.
    settings(&server, json!({ "trustedDevice": { "enabled": true } })).await;
    let mut newcomer = Browser::new(&server).await;
    newcomer.start("Register").await.expect(204);
    let chosen = newcomer.choose("newcomer", PASSWORD).await.expect(200);
    newcomer.identify(&chosen).await.expect(201);
    newcomer.post(PATH, Value::Null).await.expect_api_error(400, "session.verification_failed");
    for wrong in [json!({ "durationDays": 0 }), json!({ "durationDays": 366 }), json!({ "enabled": "yes" })] {
        let change = json!({ "trustedDevice": wrong });
        let answer = server.management().await.patch("/api/sign-in-exp", change).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
});

both!(the_trust_ends_when_something_changes, async |server: TestServer| {
    let (id, secret) = start(&server).await;
    let management = server.management().await;
    let user = format!("/api/users/{id}");
    let factors = format!("{user}/mfa-verifications");
    for change in ["password", "factor", "address", "suspension", "operator", "settings"] {
        let mut browser = trust(&server, &secret).await;
        again(&server, &mut browser).await.expect(200);
        match change {
            "password" => {
                let body = json!({ "password": PASSWORD });
                management.patch(&format!("{user}/password"), body).await.expect(200);
            }
            "factor" => {
                let codes = json!({ "type": "BackupCode" });
                management.post(&factors, codes.clone()).await;
                let listed = management.get(&factors).await.expect(200).body;
                let codes = listed.as_array().unwrap().iter().find(|one| one["type"] == "BackupCode").unwrap();
                let path = format!("{factors}/{}", codes["id"].as_str().unwrap());
                management.delete(&path).await.expect(204);
            }
            "address" => {
                management.patch(&user, json!({ "primaryEmail": "ada@example.com" })).await.expect(200);
            }
            "suspension" => {
                let path = format!("{user}/is-suspended");
                management.patch(&path, json!({ "isSuspended": true })).await.expect(200);
                management.patch(&path, json!({ "isSuspended": false })).await.expect(200);
            }
            "operator" => {
                let device = devices(&server, &id).await[0]["id"].as_str().unwrap().to_owned();
                let path = format!("{user}/trusted-devices/{device}");
                management.delete(&path).await.expect(204);
                management.delete(&path).await.expect_api_error(404, "entity.not_found");
            }
            _ => settings(&server, json!({ "trustedDevice": { "enabled": false } })).await,
        }
        again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
        if change != "settings" {
            assert_eq!(devices(&server, &id).await, [] as [Value; 0], "{change}");
        }
    }
    let answer = management.get("/api/users/nobody/trusted-devices").await;
    answer.expect_api_error(404, "entity.not_found");
});

both!(a_cookie_is_of_one_user_and_one_that_was_planted_opens_nothing, async |server: TestServer| {
    let (_, secret) = start(&server).await;
    let other = user(&server, "grace").await;
    give(&server, &other).await;
    let browser = trust(&server, &secret).await;
    // Somebody else in the same browser.
    let mut same = browser.clone();
    same.authorize(&server).await;
    same.identified("grace").await;
    same.submit().await.expect_api_error(403, REQUIRED);
    // Whoever knew the cookie of before does not get in by it.
    let planted = browser.trusted.clone();
    server.clock.advance(Duration::from_secs(30));
    let mut victim = Browser::new(&server).await;
    victim.trusted.clone_from(&planted);
    victim.identified("ada").await;
    victim.totp(&one_time_password(&server, &secret)).await.expect(200);
    victim.post(PATH, Value::Null).await.expect(204);
    victim.submit().await.expect(200);
    assert_ne!(victim.trusted, planted);
    let mut attacker = Browser::new(&server).await;
    attacker.trusted = planted;
    again(&server, &mut attacker).await.expect_api_error(403, REQUIRED);
    again(&server, &mut victim).await.expect(200);
});

both!(the_one_that_was_used_longest_ago_goes, async |server: TestServer| {
    let (id, secret) = start(&server).await;
    let mut first = trust(&server, &secret).await;
    for _ in 0..20 {
        trust(&server, &secret).await;
    }
    assert_eq!(devices(&server, &id).await.len(), 20);
    again(&server, &mut first).await.expect_api_error(403, REQUIRED);
});

both!(hooks_are_told_of_trusted_devices, async |server: TestServer| {
    let (id, secret) = start(&server).await;
    let management = server.management().await;
    let body = json!({ "events": ["TrustedDevice.*"], "config": { "url": "https://receiver.test" } });
    let hook = management.post("/api/hooks", body).await.expect(201).text("id");
    trust(&server, &secret).await;
    let device = devices(&server, &id).await[0]["id"].clone();
    management.patch(&format!("/api/users/{id}/password"), json!({ "password": PASSWORD })).await.expect(200);
    let events = hooks::outbox::events_for(&mut server.begin().await, &hook.as_str().into()).await.unwrap();
    let told: Vec<Value> = events.iter().map(|event| serde_json::from_str(&event.payload).unwrap()).collect();
    let named: Vec<_> = told.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(named, [json!("TrustedDevice.Created"), json!("TrustedDevice.Deleted")]);
    for event in &told {
        assert_eq!((&event["userId"], &event["trustedDeviceId"]), (&json!(id), &device), "{event:#}");
    }
});

both!(a_trusted_device_does_not_stand_in_where_an_application_wants_a_factor, async |server: TestServer| {
    let (_, secret) = start(&server).await;
    let mut browser = trust(&server, &secret).await;
    again(&server, &mut browser).await.expect(200);
    browser.authorize_with_classes(&server, &[MULTI_FACTOR]).await;
    browser.identified("ada").await;
    browser.submit().await.expect_api_error(403, REQUIRED);
    server.clock.advance(Duration::from_secs(30));
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
});
