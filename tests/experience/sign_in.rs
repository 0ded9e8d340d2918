//! Signing in with a password.

use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings, user};
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

both!(a_user_signs_in, async |server: TestServer| {
    let id = user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    // Whatever its case.
    let verified = browser.verify("ADA", PASSWORD).await.expect(200);
    let verification_id = verified.text("verificationId");
    browser.identify(&verified).await.expect(204);
    let state = browser.state().await;
    let record = json!({ "id": verification_id, "type": "Password",
        "identifier": { "type": "username", "value": "ADA" }, "verified": true });
    let expected = json!({ "interactionEvent": "SignIn", "userId": id, "profile": {},
        "captcha": { "verified": false, "skipped": false }, "verificationRecords": [record] });
    assert_eq!(state, expected);
    assert_eq!(sessions_of(&server, &browser).await, [""; 0]);

    let answer = browser.submit().await.expect(200);
    let resume = format!("{}/auth/{}", server.issuer(), browser.interaction_id);
    assert_eq!(answer.body, json!({ "redirectTo": resume }));
    assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);
    let shown = server.management().await.get(&format!("/api/users/{id}")).await.expect(200);
    assert_eq!(shown["lastSignInAt"], server.clock.now_ms());
    let state = browser.state().await;
    assert_eq!((&state["profile"], &state["verificationRecords"]), (&json!({ "submitted": true }), &json!([])));

    // Every step is in the log, and no secret.
    let logs = server.management().await.get("/api/logs?page_size=100").await.expect(200).body;
    for key in ["Update", "Verification.Password.Submit", "Identifier.Submit", "Submit"] {
        let key = format!("Interaction.SignIn.{key}");
        let found = logs.as_array().unwrap().iter().find(|log| log["key"] == key.as_str());
        let log = found.unwrap_or_else(|| panic!("no {key}"));
        assert_eq!(log["payload"]["interactionId"], browser.interaction_id.as_str());
        assert_eq!(log["payload"]["applicationId"], server.demo().spa_client_id.as_str());
    }
    let (logs, session) = (logs.to_string(), browser.session.clone().unwrap());
    for secret in [PASSWORD, session.as_str(), "argon2"] {
        assert!(!logs.contains(secret), "{secret}");
    }
});

both!(steps_out_of_order_are_refused, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    let steps = [
        (Method::GET, "/interaction", Value::Null),
        (Method::PUT, "/interaction-event", json!({ "interactionEvent": "SignIn" })),
        (Method::POST, "/verification/password", credentials("username", "ada", PASSWORD)),
        (Method::POST, "/identification", json!({ "verificationId": "x" })),
        (Method::POST, "/profile", json!({ "type": "username", "value": "ada" })),
        (Method::POST, "/submit", Value::Null),
    ];
    for (method, path, body) in steps {
        let answer = browser.send(method, path, body).await;
        answer.expect_api_error(404, "session.interaction_not_found");
    }
    browser.start("SignIn").await.expect(204);
    let early = browser.submit().await;
    early.expect_api_error(404, "session.identifier_not_found");
    assert_eq!(early["data"]["next"], "identification");
    browser.post("/identification", json!({})).await.expect_api_error(400, "guard.invalid_input");
    let unknown = browser.post("/identification", json!({ "verificationId": "x" })).await;
    unknown.expect_api_error(404, "session.verification_session_not_found");
    // A new verification takes the place of the one before.
    let first = browser.verify("ada", PASSWORD).await.expect(200);
    let second = browser.verify("ada", PASSWORD).await.expect(200);
    browser.identify(&first).await.expect_api_error(404, "session.verification_session_not_found");
    browser.identify(&second).await.expect(204);
    // Begun anew, nothing of it is left.
    browser.start("SignIn").await.expect(204);
    browser.identify(&second).await.expect_api_error(404, "session.verification_session_not_found");
    browser.submit().await.expect_api_error(404, "session.identifier_not_found");
});

both!(an_interaction_is_one_users, async |server: TestServer| {
    user(&server, "ada").await;
    user(&server, "grace").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let other = browser.verify("grace", PASSWORD).await.expect(200);
    browser.identify(&other).await.expect_api_error(409, "session.identity_conflict");
    // The verification of the first user is gone.
    browser.submit().await.expect_api_error(400, "session.verification_failed");
});

both!(interactions_end_and_belong_to_one_browser, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let mut stranger = Browser::new(&server).await;
    stranger.start("SignIn").await.expect(204);
    stranger.submit().await.expect_api_error(404, "session.identifier_not_found");
    let mut nobody = browser.without_interaction();
    nobody.submit().await.expect_api_error(400, "session.not_found");
    nobody.start("SignIn").await.expect_api_error(400, "session.not_found");

    server.clock.advance(Duration::from_secs(3600));
    browser.submit().await.expect_api_error(400, "session.not_found");
    assert_eq!(browser.session, None);
});

both!(what_changed_meanwhile_counts_at_the_end, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&server, "ada").await;
    let path = format!("/api/users/{id}");
    let mut browser = Browser::new(&server).await;

    browser.identified("ada").await;
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    browser.submit().await.expect_api_error(401, "user.suspended");
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);

    // Another password than was verified.
    management.patch(&format!("{path}/password"), json!({ "password": "another good password" })).await.expect(200);
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    management.patch(&format!("{path}/password"), json!({ "password": PASSWORD })).await.expect(200);
    browser.submit().await.expect_api_error(400, "session.verification_failed");

    browser.start("SignIn").await.expect(204);
    browser.identified("ada").await;
    let by_email = json!({ "identifier": "email", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    settings(&server, json!({ "signIn": { "methods": [by_email] } })).await;
    browser.submit().await.expect_api_error(422, "user.sign_in_method_not_enabled");
    browser.verify("ada", PASSWORD).await.expect_api_error(422, "user.sign_in_method_not_enabled");
    let by_name = json!({ "identifier": "username", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    settings(&server, json!({ "signIn": { "methods": [by_name] } })).await;

    management.delete(&path).await.expect(204);
    browser.submit().await.expect_api_error(404, "user.user_not_exist");
    assert_eq!(browser.session, None);
});
