//! Events of sign-ins, delivered to a real receiver.

use crate::browser::{Browser, PASSWORD, settings, user};
use claimsmith_test_support::{Home, Received, Receiver, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// A server that delivers at once, and a receiver of all that a sign-in tells.
async fn told(home: &Arc<Home>) -> (TestServer, Receiver) {
    let at_once = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")];
    let server = TestServer::start(home, &at_once).await.unwrap();
    let receiver = Receiver::start().await;
    let events = ["PostRegister", "PostSignIn", "User.Created", "User.Data.Updated"];
    let hook = json!({ "events": events, "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    (server, receiver)
}

/// What was told of this event.
fn of(received: &[Received], event: &str) -> Vec<Value> {
    received.iter().map(Received::json).filter(|body| body["event"] == event).collect()
}

both!(a_registration_tells_of_the_user_and_of_itself, async |home: Arc<Home>| {
    let (server, receiver) = told(&home).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
    let received = receiver.wait(1).await;
    let created = &of(&received, "User.Created")[0];
    assert_eq!((&created["interactionEvent"], &created["data"]["username"]), (&json!("Register"), &json!("ada")));
    assert_eq!(created["sessionId"], browser.interaction_id.as_str());
    assert_eq!(created["application"]["id"], server.demo().spa_client_id.as_str());
    assert_eq!((created.get("path"), created["data"].get("hasPassword")), (None, None));

    browser.submit().await.expect(200);
    let received = receiver.wait(2).await;
    let registered = &of(&received, "PostRegister")[0];
    assert_eq!(registered["interactionEvent"], "Register");
    assert_eq!(registered["sessionId"], browser.interaction_id.as_str());
    assert_eq!(registered["userId"], created["data"]["id"]);
    assert_eq!(registered["user"]["lastSignInAt"], server.clock.now_ms());
    assert_eq!(registered["userIp"], "127.0.0.1");
    assert!(!registered.to_string().contains("argon2"), "{registered}");

    Browser::new(&server).await.sign_in("ada").await;
    let received = receiver.wait(3).await;
    let signed_in = &of(&received, "PostSignIn")[0];
    assert_eq!((&signed_in["interactionEvent"], &signed_in["userId"]), (&json!("SignIn"), &registered["userId"]));
    assert_eq!(received.len(), 3);
});

both!(a_completed_profile_is_told, async |home: Arc<Home>| {
    let (server, receiver) = told(&home).await;
    let by_email = json!({ "identifier": "email", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    settings(&server, json!({ "signIn": { "methods": [by_email] } })).await;
    let body = json!({ "primaryEmail": "ada@example.com", "password": PASSWORD });
    server.management().await.post("/api/users", body).await.expect(200);
    receiver.wait(1).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let email = crate::browser::credentials("email", "ada@example.com", PASSWORD);
    let verified = browser.post("/verification/password", email).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect_api_error(422, "user.missing_profile");
    browser.post("/profile", json!({ "type": "username", "value": "ada" })).await.expect(204);
    browser.submit().await.expect(200);
    let received = receiver.wait(3).await;
    let (updated, signed_in) = (&of(&received, "User.Data.Updated")[0], &of(&received, "PostSignIn")[0]);
    assert_eq!((&updated["data"]["username"], &updated["interactionEvent"]), (&json!("ada"), &json!("SignIn")));
    assert_eq!(signed_in["user"]["username"], "ada");
});

both!(what_is_submitted_twice_happens_once, async |home: Arc<Home>| {
    let (server, receiver) = told(&home).await;
    user(&server, "ada").await;
    receiver.wait(1).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let (mut one, mut other) = (browser.clone(), browser.clone());
    let (first, second) = tokio::join!(one.submit(), other.submit());
    let redirect = format!("{}/auth/{}", server.issuer(), browser.interaction_id);
    for answer in [first.expect(200), second.expect(200), browser.submit().await.expect(200)] {
        assert_eq!(answer.body, json!({ "redirectTo": redirect }));
    }
    assert_eq!(browser.session, None, "the third one gets no session");
    assert_eq!([&one.session, &other.session].into_iter().flatten().count(), 1, "one session was begun");
    // Whatever is told later is told after it.
    user(&server, "grace").await;
    let received = receiver.wait(3).await;
    assert_eq!(of(&received, "PostSignIn").len(), 1);
    assert_eq!(received.len(), 3);
});
