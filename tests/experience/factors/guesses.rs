//! Guessing a second factor locks it.

use super::{STEP, give, policy, wrong};
use crate::browser::{Browser, settings, user};
use claimsmith_test_support::{Home, Receiver, TestServer, both, one_time_password};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const BLOCKED: &str = "session.verification_blocked_too_many_attempts";

both!(ten_wrong_codes_lock_a_factor_of_a_user, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap();
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["Identifier.Lockout"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let (secret, codes) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    for number in 0..10 {
        // In one interaction or in many.
        if number % 3 == 0 {
            browser.authorize(&server).await;
            browser.identified("ada").await;
        }
        let refused = browser.totp(&wrong(&server, &secret)).await;
        refused.expect_api_error(400, if number < 9 { "session.mfa.invalid_totp_code" } else { BLOCKED });
    }
    let blocked = browser.totp(&one_time_password(&server, &secret)).await;
    blocked.expect_api_error(400, BLOCKED);
    assert_eq!(blocked["data"]["relativeTime"], "60 minutes");
    let told = receiver.wait(1).await[0].json();
    assert_eq!((&told["type"], &told["value"]), (&json!("userId"), &json!(id)));
    // The password and the backup codes have counts of their own.
    browser.authorize(&server).await;
    browser.identified("ada").await;
    browser.backup_code("0000000000").await.expect_api_error(400, "session.mfa.invalid_backup_code");
    browser.backup_code(&codes[0]).await.expect(200);
    browser.submit().await.expect(200);

    // In the browser in which they signed in, what others failed does not count.
    browser.authorize(&server).await;
    browser.identified("ada").await;
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    for _ in 0..9 {
        let refused = browser.totp(&wrong(&server, &secret)).await;
        refused.expect_api_error(400, "session.mfa.invalid_totp_code");
    }
    browser.totp(&wrong(&server, &secret)).await.expect_api_error(400, BLOCKED);

    server.clock.advance(Duration::from_hours(1) + STEP);
    let mut later = Browser::new(&server).await;
    later.identified("ada").await;
    later.totp(&one_time_password(&server, &secret)).await.expect(200);
});

both!(a_lock_out_lasts_whoever_signs_in_in_that_browser, async |server: TestServer| {
    policy(&server, "NoPrompt", &["Totp", "BackupCode"]).await;
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 3 } })).await;
    let id = user(&server, "ada").await;
    user(&server, "grace").await;
    let (secret, codes) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.backup_code(&codes[0]).await.expect(200);
    browser.submit().await.expect(200);
    browser.authorize(&server).await;
    browser.identified("ada").await;
    for code in ["session.mfa.invalid_totp_code", "session.mfa.invalid_totp_code", BLOCKED] {
        browser.totp(&wrong(&server, &secret)).await.expect_api_error(400, code);
    }
    browser.totp(&one_time_password(&server, &secret)).await.expect_api_error(400, BLOCKED);
    // The browser is known by another cookie after each sign-in.
    let before = browser.known.clone();
    browser.authorize(&server).await;
    browser.sign_in("grace").await;
    assert_ne!(browser.known, before);
    browser.authorize(&server).await;
    browser.identified("ada").await;
    browser.totp(&one_time_password(&server, &secret)).await.expect_api_error(400, BLOCKED);
    // Whoever administers users ends it there as well.
    let body = json!({ "targetType": "User", "targets": ["ada"] });
    server.management().await.post("/api/sentinel-activities/delete", body).await.expect(204);
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect(200);
});

both!(guesses_at_once_do_not_pass_each_other, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 5 } })).await;
    let id = user(&server, "ada").await;
    let (secret, _) = give(&server, &id).await;
    let mut guesses = JoinSet::new();
    for number in 0..20 {
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let code = wrong(&server, &secret);
        guesses.spawn(async move {
            match number % 2 {
                0 => browser.totp(&code).await.text("code"),
                _ => browser.backup_code("0000000000").await.text("code"),
            }
        });
    }
    let codes = guesses.join_all().await;
    for (code, count) in [(BLOCKED, 12), ("session.mfa.invalid_totp_code", 4), ("session.mfa.invalid_backup_code", 4)] {
        assert_eq!(codes.iter().filter(|found| *found == code).count(), count, "{code} {codes:?}");
    }
});
