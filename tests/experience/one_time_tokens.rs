//! Signing in and registering by a one-time token.

use crate::browser::{Browser, sessions_of, settings, user_with_email};
use claimsmith_test_support::{Answer, TestServer, both};
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
