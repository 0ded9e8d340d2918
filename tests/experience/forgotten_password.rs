//! Forgotten passwords: proved by a code, replaced, and everybody who was signed in is signed out.

use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings, take_codes, user, user_with_email};
use claimsmith_test_support::{Answer, Home, Inbox, Mailed, Received, Receiver, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

const ADA: &str = "ada@example.com";
const NEW: &str = "another good password";

/// Chooses a new password.
async fn choose(browser: &mut Browser, password: &str) -> Answer {
    browser.send(Method::PUT, "/profile/password", json!({ "password": password })).await
}

/// Proves the address of a forgotten password.
async fn proved(browser: &mut Browser, inbox: &Inbox, number: usize) {
    browser.start("ForgotPassword").await.expect(204);
    let verified = browser.prove(inbox, ADA, "ForgotPassword", number).await;
    browser.identify(&verified).await.expect(204);
}

/// Signs in with the address and a password, up to the verification.
async fn verify(browser: &mut Browser, password: &str) -> Answer {
    browser.start("SignIn").await.expect(204);
    browser.post("/verification/password", credentials("email", ADA, password)).await
}

both!(a_forgotten_password_is_replaced, async |home: Arc<Home>| {
    let Mailed { server, inbox } = Mailed::start(&home, &[]).await;
    take_codes(&server).await;
    let id = user_with_email(&server, ADA).await;
    let mut hers = Browser::new(&server).await;
    let verified = verify(&mut hers, PASSWORD).await.expect(200);
    hers.identify(&verified).await.expect(204);
    hers.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &hers).await, [id.as_str()]);
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["PostResetPassword", "User.Data.Updated", "PostSignIn"],
        "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);

    let mut browser = Browser::new(&server).await;
    proved(&mut browser, &inbox, 1).await;
    assert_eq!(inbox.message(ADA, 1).await["type"], "ForgotPassword");
    let early = browser.submit().await;
    early.expect_api_error(422, "user.new_password_required_in_profile");
    assert_eq!(early["data"]["next"], "profile/password");
    choose(&mut browser, "1234567").await.expect_api_error(422, "password.rejected");
    choose(&mut browser, "ada@example.com").await.expect_api_error(422, "password.rejected");
    choose(&mut browser, PASSWORD).await.expect_api_error(422, "user.same_password");
    choose(&mut browser, NEW).await.expect(204);
    assert_eq!(sessions_of(&server, &hers).await, [id.as_str()], "nothing happens before the end");
    let answer = browser.submit().await.expect(200);
    assert_eq!(answer.body, Value::Null);
    // Nobody is signed in by it, and everybody signed out.
    assert_eq!((browser.session.clone(), sessions_of(&server, &hers).await), (None, vec![]));
    browser.submit().await.expect_api_error(404, "session.identifier_not_found");
    let state = browser.state().await;
    assert_eq!(
        state,
        json!({ "interactionEvent": "ForgotPassword", "profile": {}, "verificationRecords": [],
        "captcha": { "verified": false, "skipped": false } })
    );

    let received = receiver.wait(2).await;
    let told = |event: &str| {
        let mut bodies = received.iter().map(Received::json);
        bodies.find(|body| body["event"] == event).unwrap()
    };
    let (reset, updated) = (told("PostResetPassword"), told("User.Data.Updated"));
    assert_eq!((&reset["interactionEvent"], &reset["userId"]), (&json!("ForgotPassword"), &json!(id)));
    assert_eq!((&reset["user"]["primaryEmail"], &reset["sessionId"]), (&json!(ADA), &json!(browser.interaction_id)));
    assert_eq!((&updated["data"]["id"], &updated["interactionEvent"]), (&json!(id), &json!("ForgotPassword")));

    // The same browser goes on to sign in.
    verify(&mut browser, PASSWORD).await.expect_api_error(422, "session.invalid_credentials");
    let verified = verify(&mut browser, NEW).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    receiver.wait(3).await;
    let logs = server.management().await.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    for key in ["Interaction.ForgotPassword.Submit", "Interaction.ForgotPassword.Identifier.Submit"] {
        assert!(logs.contains(key), "{key}");
    }
    assert!(!logs.contains(NEW) && !logs.contains("argon2"));
});

both!(only_its_own_codes_replace_a_password, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    user_with_email(&server, ADA).await;
    settings(&server, json!({ "forgotPasswordMethods": ["PhoneVerificationCode"] })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("ForgotPassword").await.expect(204);
    let refused = browser.ask("email", ADA, "ForgotPassword").await;
    refused.expect_api_error(422, "session.not_supported_for_forgot_password");
    browser.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    let verified = browser.state().await["verificationRecords"][0]["id"].clone();
    let refused = browser.post("/identification", json!({ "verificationId": verified })).await;
    refused.expect_api_error(422, "session.not_supported_for_forgot_password");
    choose(&mut browser, NEW).await.expect_api_error(404, "session.identifier_not_found");
    browser.choose("grace", PASSWORD).await.expect_api_error(400, "session.invalid_interaction_type");
    browser
        .post("/verification/totp/secret", Value::Null)
        .await
        .expect_api_error(400, "session.invalid_interaction_type");

    // What is taken away meanwhile does not count any more.
    settings(&server, json!({ "forgotPasswordMethods": null })).await;
    proved(&mut browser, &inbox, 1).await;
    choose(&mut browser, NEW).await.expect(204);
    settings(&server, json!({ "forgotPasswordMethods": [] })).await;
    browser.submit().await.expect_api_error(422, "session.not_supported_for_forgot_password");
    // Without any way, no code is sent.
    browser.start("ForgotPassword").await.expect(204);
    for (kind, value) in [("email", ADA), ("phone", "+49 151 12345678")] {
        let refused = browser.ask(kind, value, "ForgotPassword").await;
        refused.expect_api_error(422, "session.not_supported_for_forgot_password");
    }
    assert_eq!(inbox.count(), 1);
});

both!(what_changed_meanwhile_counts, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    let id = user_with_email(&server, ADA).await;
    let path = format!("/api/users/{id}");
    let management = server.management().await;
    let mut browser = Browser::new(&server).await;
    proved(&mut browser, &inbox, 1).await;
    choose(&mut browser, NEW).await.expect(204);
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    browser.submit().await.expect_api_error(401, "user.suspended");
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
    // The address is not theirs any more.
    management.patch(&path, json!({ "primaryEmail": "other@example.com" })).await.expect(200);
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    management.patch(&path, json!({ "primaryEmail": ADA })).await.expect(200);
    browser.submit().await.expect(200);
    // Who is suspended is told so when they proved who they are, and gets nothing.
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    browser.authorize(&server).await;
    browser.start("ForgotPassword").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "ForgotPassword", 2).await;
    browser.identify(&verified).await.expect_api_error(401, "user.suspended");
});

both!(other_accounts_keep_theirs, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    user_with_email(&server, ADA).await;
    let grace = user(&server, "grace").await;
    settings(&server, json!({ "signUp": { "identifiers": ["username"], "password": true, "verify": false } })).await;
    let mut hers = Browser::new(&server).await;
    hers.sign_in("grace").await;
    let mut browser = Browser::new(&server).await;
    proved(&mut browser, &inbox, 1).await;
    choose(&mut browser, NEW).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &hers).await, [grace.as_str()]);
});
