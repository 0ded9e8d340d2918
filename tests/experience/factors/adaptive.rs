//! Second factors by risk: usual sign-ins need none, and unusual ones always do.

use super::{MULTI_FACTOR, amr, give, policy};
use crate::browser::{Browser, settings, user};
use claimsmith_identity::retention;
use claimsmith_storage::{audit, hooks};
use claimsmith_test_support::{Answer, Home, TestServer, both, one_time_password};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);
const REQUIRED: &str = "session.mfa.require_mfa_verification";

#[derive(claimsmith_storage::Row)]
struct Place {
    kind: String,
    hash: String,
}

/// The stored places of all users.
async fn places(server: &TestServer) -> Vec<Place> {
    let mut tx = server.begin().await;
    tx.sql("SELECT kind, hash FROM sign_in_places ORDER BY kind, hash").all().await.unwrap()
}

/// Lets second factors be asked for by risk; answers a user with an authenticator, and its secret.
async fn start(server: &TestServer) -> (String, String) {
    let mfa = json!({ "policy": "PromptOnlyAtSignInMandatory", "factors": ["Totp"] });
    settings(server, json!({ "mfa": mfa, "adaptiveMfa": { "enabled": true } })).await;
    let id = user(server, "ada").await;
    let (secret, _) = give(server, &id).await;
    (id, secret)
}

/// Signs in again with the password alone.
async fn again(server: &TestServer, browser: &mut Browser) -> Answer {
    browser.authorize(server).await;
    browser.identified("ada").await;
    browser.submit().await
}

/// Proves a factor after `again`, and submits.
async fn prove(server: &TestServer, browser: &mut Browser, secret: &str) {
    server.clock.advance(Duration::from_secs(30));
    browser.totp(&one_time_password(server, secret)).await.expect(200);
    browser.submit().await.expect(200);
}

/// The rules of the reported sign-ins, in their order.
async fn reported(server: &TestServer) -> Vec<Value> {
    let entries = audit::list_by_key(&mut server.begin().await, "Interaction.AdaptiveMfa.Trigger", 100).await.unwrap();
    let names = |rules: &Value| rules.as_array().unwrap().iter().map(|rule| rule["rule"].clone()).collect::<Value>();
    let mut entries: Vec<_> =
        entries.iter().map(|entry| (entry.created_at, names(&entry.payload["triggeredRules"]))).collect();
    entries.sort_by_key(|(at, _)| *at);
    entries.into_iter().map(|(_, names)| names).collect()
}

both!(usual_sign_ins_need_no_factor_and_unusual_ones_do, async |server: TestServer| {
    let (id, secret) = start(&server).await;
    let management = server.management().await;
    let hook = json!({ "events": ["PostSignInAdaptiveMfaTriggered"], "config": { "url": "https://receiver.test" } });
    let hook = management.post("/api/hooks", hook).await.expect(201).text("id");
    // Opting out does not count where a sign-in is unusual.
    let exempt = json!({ "mfa": { "skipMfaOnSignIn": true } });
    management.patch(&format!("/api/users/{id}/logto-configs"), exempt).await.expect(200);

    let mut browser = Browser::new(&server).await;
    for _ in 0..2 {
        again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
        let refused = browser.submit().await;
        refused.expect_api_error(403, REQUIRED);
        assert_eq!(refused["data"]["availableFactors"], json!(["Totp"]));
    }
    // Once for each interaction.
    let events = hooks::outbox::events_for(&mut server.begin().await, &hook.as_str().into()).await.unwrap();
    assert_eq!(events.len(), 2);
    let event: Value = serde_json::from_str(&events[0].payload).unwrap();
    assert_eq!(
        (&event["event"], &event["interactionEvent"]),
        (&json!("PostSignInAdaptiveMfaTriggered"), &json!("SignIn"))
    );
    assert_eq!((&event["userId"], &event["user"]["username"]), (&json!(id), &json!("ada")));
    let rule = json!({ "rule": "new_device", "details": { "windowDays": 180 } });
    assert_eq!(event["adaptiveMfaResult"], json!({ "requiresMfa": true, "triggeredRules": [rule] }));
    assert!(event["application"]["id"].is_string(), "{event}");

    prove(&server, &mut browser, &secret).await;
    assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
    server.clock.advance(29 * DAY);
    again(&server, &mut browser).await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd"]);
    // An application that wants a factor gets one.
    browser.authorize_with_classes(&server, &[MULTI_FACTOR]).await;
    browser.identified("ada").await;
    browser.submit().await.expect_api_error(403, REQUIRED);
    // The browser of somebody else is new, and one that has not been used for long is unusual.
    let mut hers = Browser::new(&server).await;
    again(&server, &mut hers).await.expect_api_error(403, REQUIRED);
    server.clock.advance(30 * DAY + Duration::from_millis(1));
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    let long = json!(["long_inactivity"]);
    assert_eq!(reported(&server).await.last(), Some(&long));
    prove(&server, &mut browser, &secret).await;
    again(&server, &mut browser).await.expect(200);
    // Without the setting, whoever has a factor is asked at each sign-in.
    settings(&server, json!({ "adaptiveMfa": { "enabled": false } })).await;
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    assert_eq!(reported(&server).await.len(), 4);
});

both!(a_trusted_device_is_asked_where_the_sign_in_is_unusual, async |server: TestServer| {
    let (_, secret) = start(&server).await;
    settings(&server, json!({ "trustedDevice": { "enabled": true, "durationDays": 365 } })).await;
    let mut browser = Browser::new(&server).await;
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.post("/profile/mfa/trusted-device", Value::Null).await.expect(204);
    browser.submit().await.expect(200);
    again(&server, &mut browser).await.expect(200);
    server.clock.advance(31 * DAY);
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
});

both!(networks_and_countries_are_known_as_hashes, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.0/8"), ("CLAIMSMITH_COUNTRY_HEADER", "CF-IPCountry")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let (id, secret) = start(&server).await;
    let mut browser = Browser::new(&server).await;
    let move_to = |browser: &mut Browser, address: &str, country: &str| {
        (browser.from, browser.country) = (Some(address.to_owned()), Some(country.to_owned()));
    };
    move_to(&mut browser, "192.0.2.1", "nz");
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    prove(&server, &mut browser, &secret).await;
    // Another address of the provider is usual, and so is an unknown country.
    move_to(&mut browser, "192.0.77.1", "XX");
    again(&server, &mut browser).await.expect(200);
    for (address, country, rules) in [
        ("198.51.100.1", "NZ", json!(["new_address"])),
        ("192.0.2.1", "AU", json!(["new_region_or_country"])),
        ("203.0.113.1", "FJ", json!(["new_address", "new_region_or_country"])),
    ] {
        move_to(&mut browser, address, country);
        again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
        assert_eq!(reported(&server).await.last(), Some(&rules), "{address} {country}");
        prove(&server, &mut browser, &secret).await;
        again(&server, &mut browser).await.expect(200);
    }
    let kept = places(&server).await;
    let kinds: Vec<&str> = kept.iter().map(|place| place.kind.as_str()).collect();
    assert_eq!(kinds, ["country", "country", "country", "network", "network", "network"]);
    for place in &kept {
        assert!(!place.hash.contains("192.") && place.hash.len() > 32, "{}", place.hash);
    }
    // Whoever does not sign in leaves nothing.
    move_to(&mut browser, "233.252.0.1", "TO");
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    assert_eq!(places(&server).await.len(), 6);
    // Those of long ago are forgotten.
    server.clock.advance(181 * DAY);
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(places(&server).await.len(), 0);
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    prove(&server, &mut browser, &secret).await;
    assert_eq!(places(&server).await.len(), 2);
    server.management().await.delete(&format!("/api/users/{id}")).await.expect(204);
    assert_eq!(places(&server).await.len(), 0);
});

both!(a_country_that_no_proxy_says_is_not_believed, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_COUNTRY_HEADER", "cf-ipcountry")]).await.unwrap();
    let (_, secret) = start(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.country = Some("NZ".to_owned());
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    prove(&server, &mut browser, &secret).await;
    let kinds: Vec<String> = places(&server).await.into_iter().map(|place| place.kind).collect();
    assert_eq!(kinds, ["network"]);
});

both!(places_are_kept_where_they_are_needed_alone, async |server: TestServer| {
    policy(&server, "PromptOnlyAtSignInMandatory", &["Totp"]).await;
    let id = user(&server, "ada").await;
    let (secret, _) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    again(&server, &mut browser).await.expect_api_error(403, REQUIRED);
    prove(&server, &mut browser, &secret).await;
    assert_eq!(places(&server).await.len(), 0);
});

both!(adaptive_mfa_needs_factors_and_a_policy_that_it_can_relax, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/sign-in-exp";
    let on = json!({ "adaptiveMfa": { "enabled": true } });
    let needs_mfa = "sign_in_experiences.adaptive_mfa_requires_mfa";
    let needs_policy = "sign_in_experiences.adaptive_mfa_requires_non_skippable_policy";
    management.patch(path, on.clone()).await.expect_api_error(422, needs_mfa);
    for name in ["NoPrompt", "UserControlled", "PromptOnlyAtSignIn", "PromptAtSignInAndSignUp", "Mandatory"] {
        policy(&server, name, &["Totp"]).await;
        management.patch(path, on.clone()).await.expect_api_error(422, needs_policy);
    }
    for name in ["PromptOnlyAtSignInMandatory", "PromptAtSignInAndSignUpMandatory"] {
        policy(&server, name, &["Totp"]).await;
        let shown = management.patch(path, on.clone()).await.expect(200).body;
        assert_eq!(management.patch(path, shown.clone()).await.expect(200).body, shown);
        let relaxed = json!({ "mfa": { "policy": "UserControlled" } });
        management.patch(path, relaxed).await.expect_api_error(422, needs_policy);
        let without = json!({ "mfa": { "factors": [], "policy": "NoPrompt" } });
        let shown = management.patch(path, without).await.expect(200);
        assert_eq!(shown["adaptiveMfa"], json!({ "enabled": false }));
    }
});
