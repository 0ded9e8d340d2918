//! Signing in, registering and resetting a forgotten password by a one-time token.

use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings, take_codes, user_with_email};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{Answer, Mailed, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinSet;

const ADA: &str = "ada@example.com";

/// Makes a token for an address.
async fn token(server: &TestServer, email: &str, context: Value) -> Answer {
    let body = json!({ "email": email, "context": context });
    server.management().await.post("/api/one-time-tokens", body).await.expect(201)
}

/// Uses one.
async fn verify(browser: &mut Browser, email: &str, token: &str) -> Answer {
    let body = json!({ "identifier": { "type": "email", "value": email }, "token": token });
    browser.post("/verification/one-time-token/verify", body).await
}

both!(a_user_signs_in_by_a_token, async |server: TestServer| {
    // By default everybody must have a user name, whoever signs in by a link too.
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    let id = user_with_email(&server, ADA).await;
    let made = token(&server, "ADA@example.com", json!({})).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    verify(&mut browser, "grace@example.com", &made.text("token"))
        .await
        .expect_api_error(400, "one_time_token.email_mismatch");
    verify(&mut browser, ADA, "wrong").await.expect_api_error(404, "one_time_token.token_not_found");
    let verified = verify(&mut browser, ADA, &made.text("token")).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    verify(&mut browser, ADA, &made.text("token")).await.expect_api_error(400, "one_time_token.token_consumed");
    let path = format!("/api/one-time-tokens/{}", made.text("id"));
    assert_eq!(server.management().await.get(&path).await.expect(200)["status"], "consumed");
});

both!(a_token_registers_where_nobody_else_may, async |server: TestServer| {
    settings(&server, json!({ "signUp": { "identifiers": [], "password": false, "verify": false } })).await;
    let organization =
        server.management().await.post("/api/organizations", json!({ "name": "Example" })).await.expect(201);
    let context = json!({ "interactionEvent": "Register", "jitOrganizationIds": [organization["id"], "nowhere"] });
    let made = token(&server, ADA, context.clone()).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let other = verify(&mut browser, ADA, &made.text("token")).await;
    other.expect_api_error(400, "one_time_token.interaction_event_mismatch");
    browser.start("Register").await.expect(204);
    let verified = verify(&mut browser, ADA, &made.text("token")).await.expect(200);
    assert_eq!(browser.state().await["verificationRecords"][0]["oneTimeTokenContext"], context);
    settings(&server, json!({ "signInMode": "SignIn" })).await;
    browser.identify(&verified).await.expect(201);
    browser.submit().await.expect(200);
    let path = format!("/api/organizations/{}/users", organization.text("id"));
    let members = server.management().await.get(&path).await.expect(200);
    assert_eq!(members.body[0]["primaryEmail"], ADA);

    // One that is for signing in registers nobody.
    let made = token(&server, "new@example.com", json!({ "interactionEvent": "SignIn" })).await;
    let mut other = Browser::new(&server).await;
    other.start("SignIn").await.expect(204);
    let verified = verify(&mut other, "new@example.com", &made.text("token")).await.expect(200);
    other.identify(&verified).await.expect_api_error(404, "user.user_not_exist");
    other.switch("Register").await.expect(204);
    other.identify(&verified).await.expect_api_error(400, "session.verification_failed");
});

both!(a_token_works_once_and_for_its_time, async |server: TestServer| {
    user_with_email(&server, ADA).await;
    let made = token(&server, ADA, json!({})).await;
    let mut browsers = Vec::new();
    for _ in 0..5 {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        browsers.push(browser);
    }
    let mut uses = JoinSet::new();
    for mut browser in browsers {
        let token = made.text("token");
        uses.spawn(async move { verify(&mut browser, ADA, &token).await.status });
    }
    let mut statuses = uses.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400, 400, 400, 400]);

    let (expired, revoked) = (token(&server, ADA, json!({})).await, token(&server, ADA, json!({})).await);
    let path = format!("/api/one-time-tokens/{}/status", revoked.text("id"));
    server.management().await.put(&path, json!({ "status": "revoked" })).await.expect(200);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    verify(&mut browser, ADA, &revoked.text("token")).await.expect_api_error(400, "one_time_token.token_revoked");
    server.clock.advance(Duration::from_secs(600));
    verify(&mut browser, ADA, &expired.text("token")).await.expect_api_error(400, "one_time_token.token_expired");
});

/// What a token for a forgotten password says.
fn forgotten() -> Value {
    json!({ "interactionEvent": "ForgotPassword" })
}

/// Chooses a new password.
async fn choose(browser: &mut Browser, password: &str) -> Answer {
    browser.send(Method::PUT, "/profile/password", json!({ "password": password })).await
}

both!(a_token_for_a_forgotten_password_resets_it_once, async |mailed: Mailed| {
    const NEW: &str = "another good password";
    let Mailed { server, .. } = mailed;
    take_codes(&server).await;
    // An operator made it, whatever is offered to all.
    settings(&server, json!({ "forgotPasswordMethods": ["PhoneVerificationCode"] })).await;
    let id = user_with_email(&server, ADA).await;
    let mut hers = Browser::new(&server).await;
    let mut signs_in = async |password: &str| {
        hers.authorize(&server).await;
        hers.start("SignIn").await.expect(204);
        let verified = hers.post("/verification/password", credentials("email", ADA, password)).await;
        if verified.status == 200 {
            hers.identify(&verified).await.expect(204);
            hers.submit().await.expect(200);
        }
        verified.status
    };
    assert_eq!(signs_in(PASSWORD).await, 200);

    let made = token(&server, ADA, forgotten()).await;
    assert_eq!(made["context"], forgotten());
    let mut browser = Browser::new(&server).await;
    for event in ["SignIn", "Register"] {
        browser.start(event).await.expect(204);
        let refused = verify(&mut browser, ADA, &made.text("token")).await;
        refused.expect_api_error(400, "one_time_token.interaction_event_mismatch");
    }
    browser.start("ForgotPassword").await.expect(204);
    let other = verify(&mut browser, "grace@example.com", &made.text("token")).await;
    other.expect_api_error(400, "one_time_token.email_mismatch");
    choose(&mut browser, NEW).await.expect_api_error(404, "session.identifier_not_found");
    let verified = verify(&mut browser, ADA, &made.text("token")).await.expect(200);
    browser.identify(&verified).await.expect(204);
    choose(&mut browser, PASSWORD).await.expect_api_error(422, "user.same_password");
    choose(&mut browser, NEW).await.expect(204);
    browser.submit().await.expect(200);
    // Nobody is signed in by it, and the old password is gone.
    assert_eq!(browser.session, None);
    assert_eq!((signs_in(PASSWORD).await, signs_in(NEW).await), (422, 200));
    let path = format!("/api/one-time-tokens/{}", made.text("id"));
    assert_eq!(server.management().await.get(&path).await.expect(200)["status"], "consumed");
    browser.start("ForgotPassword").await.expect(204);
    let used = verify(&mut browser, ADA, &made.text("token")).await;
    used.expect_api_error(400, "one_time_token.token_consumed");

    // A token that was proved is no proof of a sign-in, and counts for the address that the user has.
    let made = token(&server, ADA, forgotten()).await;
    let verified = verify(&mut browser, ADA, &made.text("token")).await.expect(200);
    browser.switch("SignIn").await.expect_api_error(400, "session.not_supported_for_forgot_password");
    browser.identify(&verified).await.expect(204);
    choose(&mut browser, "a third good password").await.expect(204);
    let moved = json!({ "primaryEmail": "moved@example.com" });
    server.management().await.patch(&format!("/api/users/{id}"), moved).await.expect(200);
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    let made = token(&server, "nobody@example.com", forgotten()).await;
    browser.start("ForgotPassword").await.expect(204);
    let verified = verify(&mut browser, "nobody@example.com", &made.text("token")).await.expect(200);
    browser.identify(&verified).await.expect_api_error(404, "user.user_not_exist");
});

both!(tokens_that_must_reset_no_password_do_not, async |mailed: Mailed| {
    let Mailed { server, .. } = mailed;
    take_codes(&server).await;
    let id = user_with_email(&server, ADA).await;
    let mut browser = Browser::new(&server).await;
    browser.start("ForgotPassword").await.expect(204);
    // One without an event was made to sign in.
    for context in [json!({}), json!({ "interactionEvent": "SignIn" }), json!({ "interactionEvent": "Register" })] {
        let made = token(&server, ADA, context).await;
        let refused = verify(&mut browser, ADA, &made.text("token")).await;
        refused.expect_api_error(400, "one_time_token.interaction_event_mismatch");
        let path = format!("/api/one-time-tokens/{}", made.text("id"));
        assert_eq!(server.management().await.get(&path).await.expect(200)["status"], "active");
    }
    let body =
        json!({ "email": ADA, "context": { "interactionEvent": "ForgotPassword", "jitOrganizationIds": ["x"] } });
    server.management().await.post("/api/one-time-tokens", body).await.expect_api_error(400, "guard.invalid_input");
    // A mailbox that is a second factor replaces no password.
    let made = token(&server, ADA, forgotten()).await;
    let verified = verify(&mut browser, ADA, &made.text("token")).await.expect(200);
    let by_password = json!({ "methods": [
        { "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true }
    ] });
    let factors = json!({ "factors": ["EmailVerificationCode"], "policy": "NoPrompt" });
    let sign_up = json!({ "identifiers": ["username"], "password": true, "verify": false });
    settings(&server, json!({ "signIn": by_password, "signUp": sign_up, "mfa": factors })).await;
    browser.identify(&verified).await.expect_api_error(422, "session.not_supported_for_forgot_password");
    settings(&server, json!({ "mfa": { "factors": [], "policy": "NoPrompt" } })).await;
    browser.identify(&verified).await.expect(204);
    // Nor does any that of somebody who administers, by then.
    choose(&mut browser, "another good password").await.expect(204);
    server.hold(&id.as_str().into(), &[ConsoleRole::Read]).await;
    browser.submit().await.expect_api_error(422, "session.not_supported_for_forgot_password");
    let made = token(&server, ADA, forgotten()).await;
    browser.start("ForgotPassword").await.expect(204);
    let verified = verify(&mut browser, ADA, &made.text("token")).await.expect(200);
    browser.identify(&verified).await.expect_api_error(422, "session.not_supported_for_forgot_password");
    assert_eq!(sessions_of(&server, &browser).await, [""; 0]);
});
