//! What is told of second factors: the sign-in once all is proved, the change of the user, and no secret.

use super::{give, policy};
use crate::browser::{Browser, user};
use claimsmith_test_support::{Home, Received, Receiver, TestServer, both, one_time_password};
use serde_json::json;
use std::sync::Arc;

both!(a_sign_in_is_told_when_all_is_proved, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap();
    let receiver = Receiver::start().await;
    policy(&server, "Mandatory", &["Totp", "BackupCode"]).await;
    let (ada, _) = (user(&server, "ada").await, user(&server, "grace").await);
    let (secret, codes) = give(&server, &ada).await;
    let events = ["PostSignIn", "User.Data.Updated", "User.Created"];
    let hook = json!({ "events": events, "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);

    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    // Whatever is told later is told after what was told before.
    user(&server, "first").await;
    let told = receiver.wait(1).await;
    assert_eq!(told[0].json()["data"]["username"], "first", "nothing of the sign-in was told");
    browser.submit().await.expect(200);
    let told = receiver.wait(2).await;
    assert_eq!((&told[1].json()["event"], &told[1].json()["userId"]), (&json!("PostSignIn"), &json!(ada)));

    let mut other = Browser::new(&server).await;
    other.identified("grace").await;
    let own = other.set_up(&server).await;
    let made = other.keep_codes().await;
    other.submit().await.expect(200);
    let told = receiver.wait(4).await;
    let mut names: Vec<String> =
        told[2..].iter().map(|body| body.json()["event"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["PostSignIn", "User.Data.Updated"]);
    let updated = told.iter().map(Received::json).find(|body| body["event"] == "User.Data.Updated").unwrap();
    assert_eq!((&updated["data"]["username"], &updated["interactionEvent"]), (&json!("grace"), &json!("SignIn")));
    let told: String = told.iter().map(|body| body.json().to_string()).collect();
    for hidden in [&secret, &own].into_iter().chain(&codes).chain(&made) {
        assert!(!told.contains(hidden.as_str()), "{hidden}");
    }
});
