//! One-time passwords: the window, and that each is used once.

use super::{STEP, give, policy};
use crate::browser::{Browser, user};
use claimsmith_test_support::{Home, TestServer, both, on_postgres, one_time_password};
use serde_json::json;
use std::sync::Arc;
use tokio::task::JoinSet;

const INVALID: &str = "session.mfa.invalid_totp_code";

both!(a_code_works_once_and_none_before_it, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp"]).await;
    let id = user(&server, "ada").await;
    let (secret, _) = give(&server, &id).await;
    let mut codes = Vec::new();
    for _ in 0..5 {
        codes.push(one_time_password(&server, &secret));
        server.clock.advance(STEP);
    }
    // It is the time of the fifth step after the first.
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.totp(&codes[3]).await.expect_api_error(400, INVALID);
    let spaced = format!("{} {}", &codes[4][..3], &codes[4][3..]);
    browser.totp(&spaced).await.expect(200);
    // Neither again, nor in another browser.
    browser.totp(&codes[4]).await.expect_api_error(400, INVALID);
    let mut other = Browser::new(&server).await;
    other.identified("ada").await;
    other.totp(&codes[4]).await.expect_api_error(400, INVALID);
    other.totp("").await.expect_api_error(400, "guard.invalid_input");
    other.totp("12345").await.expect_api_error(400, INVALID);
    other.totp(&one_time_password(&server, &secret)).await.expect(200);
    // One of the step to come works, and then none before it does.
    server.clock.advance(STEP * 3);
    let now = one_time_password(&server, &secret);
    server.clock.advance(STEP);
    let ahead = one_time_password(&server, &secret);
    server.clock.advance(STEP);
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    for late in [&ahead, &now] {
        browser.totp(late).await.expect_api_error(400, INVALID);
    }
});

both!(of_twenty_that_use_a_code_at_once_one_gets_in, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp"]).await;
    crate::browser::settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 100 } })).await;
    let id = user(&server, "ada").await;
    let (secret, _) = give(&server, &id).await;
    let code = one_time_password(&server, &secret);
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let code = code.clone();
        racers.spawn(async move {
            let proved = browser.totp(&code).await.status;
            (proved, browser.submit().await.status)
        });
    }
    let mut answers = racers.join_all().await;
    answers.sort_unstable();
    assert_eq!(answers[0], (200, 200));
    assert!(answers[1..].iter().all(|answer| *answer == (400, 403)), "{answers:?}");
});

on_postgres!(two_nodes_accept_a_code_once, async |home: Arc<Home>| {
    let one = TestServer::start(&home, &[]).await.unwrap();
    let other = TestServer::start(&home, &[]).await.unwrap();
    policy(&one, "UserControlled", &["Totp"]).await;
    crate::browser::settings(&one, json!({ "sentinelPolicy": { "maxAttempts": 100 } })).await;
    let id = user(&one, "ada").await;
    let (secret, _) = give(&one, &id).await;
    let code = one_time_password(&one, &secret);
    let mut racers = JoinSet::new();
    for number in 0..20 {
        let mut browser = Browser::new(&one).await;
        browser.identified("ada").await;
        if number % 2 == 0 {
            browser.go_to(&other);
        }
        let code = code.clone();
        racers.spawn(async move { browser.totp(&code).await.status });
    }
    let answers = racers.join_all().await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
});

both!(a_verification_belongs_to_its_interaction_and_user, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp"]).await;
    let ada = user(&server, "ada").await;
    user(&server, "grace").await;
    let (mut hers, mut mine) = (Browser::new(&server).await, Browser::new(&server).await);
    hers.identified("grace").await;
    mine.identified("ada").await;
    let (secret, id) = hers.new_secret().await;
    let code = one_time_password(&server, &secret);
    mine.confirm(&id, &code).await.expect_api_error(404, "session.verification_session_not_found");
    mine.bind("Totp", &id).await.expect_api_error(404, "session.verification_session_not_found");
    let (_, own) = mine.new_secret().await;
    mine.confirm(&own, &code).await.expect_api_error(400, INVALID);
    // A new secret takes the place of the one before.
    let (again, newer) = mine.new_secret().await;
    mine.confirm(&own, &one_time_password(&server, &again))
        .await
        .expect_api_error(404, "session.verification_session_not_found");
    mine.confirm(&newer, &one_time_password(&server, &again)).await.expect(200);

    // What somebody proved is nobody else's.
    let (secret, _) = give(&server, &ada).await;
    hers.totp(&one_time_password(&server, &secret)).await.expect_api_error(400, INVALID);
    // Begun anew, it is to be proved again.
    mine.totp(&one_time_password(&server, &secret)).await.expect(200);
    mine.identified("ada").await;
    mine.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
});
