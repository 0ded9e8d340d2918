//! Nobody learns who has an account: the same answer and the same work for everybody.

use crate::browser::{Browser, PASSWORD, credentials, settings, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(unknown_users_cost_and_say_the_same_as_wrong_passwords, async |server: TestServer| {
    let management = server.management().await;
    user(&server, "ada").await;
    management.post("/api/users", json!({ "username": "nopassword" })).await.expect(200);
    // The digest of "password", of a kind that costs nothing.
    let old = json!({ "username": "old", "passwordDigest": "5f4dcc3b5aa765d61d8327deb882cf99",
        "passwordAlgorithm": "MD5" });
    management.post("/api/users", old).await.expect(200);
    let methods = ["username", "email", "phone"].map(|identifier| {
        json!({ "identifier": identifier, "password": true, "verificationCode": false, "isPasswordPrimary": true })
    });
    settings(&server, json!({ "signIn": { "methods": methods } })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let mut answers = Vec::new();
    for (kind, value, digests) in [
        ("username", "ada", 1),
        ("username", "nobody", 1),
        ("username", "nopassword", 1),
        ("email", "nobody@example.com", 1),
        ("phone", "49 151 12345678", 1),
        ("phone", "0", 1),
        // One that costs next to nothing, and one that costs as much as everybody's.
        ("username", "old", 2),
    ] {
        let before = server.app.passwords.computed();
        let answer = browser.post("/verification/password", credentials(kind, value, "a wrong password")).await;
        answer.expect_api_error(422, "session.invalid_credentials");
        assert_eq!(server.app.passwords.computed() - before, digests, "{value}");
        answers.push(answer.body);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
    browser.verify("old", "password").await.expect(200);
    assert_eq!(browser.state().await["verificationRecords"].as_array().unwrap().len(), 1);
    browser.verify("old", "password").await.expect(200);
});

both!(only_the_right_password_tells_that_somebody_is_suspended, async |server: TestServer| {
    let id = user(&server, "ada").await;
    server.set_suspended(&id.as_str().into(), true).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    browser.verify("ada", "a wrong password").await.expect_api_error(422, "session.invalid_credentials");
    browser.verify("ada", PASSWORD).await.expect_api_error(401, "user.suspended");
    assert_eq!(browser.state().await["verificationRecords"], json!([]));
});

both!(a_password_in_a_request_is_bounded, async |server: TestServer| {
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    for (name, password) in [("ada", String::new()), ("ada", "x".repeat(257)), ("", "x".to_owned())] {
        let before = server.app.passwords.computed();
        browser.verify(name, &password).await.expect_api_error(400, "guard.invalid_input");
        assert_eq!(server.app.passwords.computed(), before);
    }
});
