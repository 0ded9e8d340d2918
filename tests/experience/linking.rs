//! Adding a proved address or number to an account, while signing in.

use crate::browser::{Browser, settings, take_codes, user, user_with_email};
use claimsmith_test_support::{Home, Mailed, Receiver, both};
use serde_json::{Value, json};
use std::sync::Arc;

const ADA: &str = "ada@example.com";

/// What stages the address of an answer.
fn staged(kind: &str, verified: &Value) -> Value {
    json!({ "type": kind, "verificationId": verified["verificationId"] })
}

both!(a_missing_address_is_proved_and_added, async |home: Arc<Home>| {
    let Mailed { server, inbox } = Mailed::start(&home, &[]).await;
    take_codes(&server).await;
    let receiver = Receiver::start().await;
    let id = user(&server, "ada").await;
    let hook = json!({ "events": ["User.Data.Updated"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let missing = browser.submit().await;
    missing.expect_api_error(422, "user.missing_profile");
    assert_eq!(missing["data"]["missingProfile"], json!(["emailOrPhone"]));
    let verified = browser.prove(&inbox, ADA, "SignIn", 1).await;
    browser
        .post("/profile", staged("phone", &verified.body))
        .await
        .expect_api_error(400, "session.verification_failed");
    browser.post("/profile", staged("email", &verified.body)).await.expect(204);
    assert_eq!(browser.state().await["profile"], json!({ "primaryEmail": ADA }));
    // Nothing is written before the end.
    let path = format!("/api/users/{id}");
    assert_eq!(server.management().await.get(&path).await.expect(200)["primaryEmail"], Value::Null);
    browser.submit().await.expect(200);
    assert_eq!(server.management().await.get(&path).await.expect(200)["primaryEmail"], ADA);
    let told = receiver.wait(1).await[0].json();
    assert_eq!((&told["event"], &told["data"]["primaryEmail"]), (&json!("User.Data.Updated"), &json!(ADA)));
    assert_eq!(told["sessionId"], browser.interaction_id.as_str());
});

both!(a_number_is_added_beside_an_address, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    user_with_email(&server, ADA).await;
    let sign_up = json!({ "identifiers": ["email"], "password": false, "verify": true,
        "secondaryIdentifiers": [{ "identifier": "phone", "verify": true }] });
    settings(&server, json!({ "signUp": sign_up })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, ADA, "SignIn", 1).await;
    browser.identify(&verified).await.expect(204);
    let missing = browser.submit().await;
    assert_eq!(missing["data"]["missingProfile"], json!(["phone"]));
    let sent = browser.ask("phone", "+4915112345678", "SignIn").await.expect(200);
    let code = inbox.code("4915112345678", 1).await;
    browser.type_code("phone", "+4915112345678", &sent, &code).await.expect(200);
    browser.post("/profile", staged("phone", &sent.body)).await.expect(204);
    browser
        .post("/profile", staged("email", &verified.body))
        .await
        .expect_api_error(422, "user.email_exists_in_profile");
    browser.submit().await.expect(200);
    let found = server.management().await.get("/api/users?search.primaryPhone=4915112345678").await.expect(200);
    assert_eq!(found.body[0]["primaryEmail"], ADA);
});

both!(an_address_of_somebody_else_is_not_added, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    take_codes(&server).await;
    user(&server, "ada").await;
    user(&server, "grace").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let verified = browser.prove(&inbox, ADA, "SignIn", 1).await;
    // Proved by both, it is whose who is faster.
    let mut other = Browser::new(&server).await;
    other.identified("grace").await;
    let others = other.prove(&inbox, ADA, "SignIn", 2).await;
    browser.post("/profile", staged("email", &verified.body)).await.expect(204);
    other.post("/profile", staged("email", &others.body)).await.expect(204);
    browser.submit().await.expect(200);
    other.submit().await.expect_api_error(422, "user.email_already_in_use");
    // Before anybody is identified there is nothing to add it to.
    let mut early = Browser::new(&server).await;
    early.start("SignIn").await.expect(204);
    let verified = early.prove(&inbox, "new@example.com", "SignIn", 1).await;
    early.post("/profile", staged("email", &verified.body)).await.expect_api_error(404, "session.identifier_not_found");
    // A blocked one is not added either.
    settings(&server, json!({ "emailBlocklistPolicy": { "customBlocklist": ["@blocked.example"] } })).await;
    let mut third = Browser::new(&server).await;
    third.identified("grace").await;
    let verified = third.prove(&inbox, "g@blocked.example", "SignIn", 1).await;
    let refused = third.post("/profile", staged("email", &verified.body)).await;
    refused.expect_api_error(422, "session.email_blocklist.email_not_allowed");
});
