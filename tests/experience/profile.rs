//! Completing the profile of a user who signs in.

use crate::browser::{Browser, PASSWORD, settings};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(who_lacks_a_user_name_is_asked_for_it, async |server: TestServer| {
    let by_email = json!({ "identifier": "email", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    settings(&server, json!({ "signIn": { "methods": [by_email] } })).await;
    let management = server.management().await;
    let body = json!({ "primaryEmail": "ada@example.com", "password": PASSWORD });
    let id = management.post("/api/users", body).await.expect(200).text("id");

    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let name = json!({ "type": "username", "value": "ada" });
    browser.post("/profile", name.clone()).await.expect_api_error(404, "session.identifier_not_found");
    let email = crate::browser::credentials("email", "Ada@Example.com", PASSWORD);
    let verified = browser.post("/verification/password", email).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let refused = browser.submit().await;
    refused.expect_api_error(422, "user.missing_profile");
    assert_eq!(refused["data"], json!({ "missingProfile": ["username"], "next": "profile" }));
    assert_eq!(browser.session, None);

    let password = json!({ "type": "password", "value": "another good password" });
    browser.post("/profile", password).await.expect_api_error(422, "user.password_exists_in_profile");
    browser
        .post("/profile", json!({ "type": "username", "value": "a b" }))
        .await
        .expect_api_error(422, "user.username_invalid_charset_hard");
    browser
        .post("/profile", json!({ "type": "email", "value": "x" }))
        .await
        .expect_api_error(400, "guard.invalid_input");
    browser.post("/profile", name.clone()).await.expect(204);
    // Nothing is written before the end.
    let path = format!("/api/users/{id}");
    assert_eq!(management.get(&path).await.expect(200)["username"], json!(null));
    browser.submit().await.expect(200);
    let shown = management.get(&path).await.expect(200);
    assert_eq!((&shown["username"], &shown["lastSignInAt"]), (&json!("ada"), &json!(server.clock.now_ms())));
    browser.post("/profile", name).await.expect_api_error(400, "session.invalid_interaction_type");
});

both!(an_administrator_with_an_accepted_address_is_not_asked_for_a_user_name, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "primaryEmail": "ada@example.com", "password": PASSWORD });
    let id = management.post("/api/users", body).await.expect(200).text("id");
    server.hold(&id.as_str().into(), &[ConsoleRole::Admin]).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let email = crate::browser::credentials("email", "ada@example.com", PASSWORD);
    let verified = browser.post("/verification/password", email).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(management.get(&format!("/api/users/{id}")).await.expect(200)["username"], json!(null));
});

both!(a_staged_name_that_was_taken_meanwhile_is_refused, async |server: TestServer| {
    let by_email = json!({ "identifier": "email", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    settings(&server, json!({ "signIn": { "methods": [by_email] } })).await;
    let management = server.management().await;
    let body = json!({ "primaryEmail": "ada@example.com", "password": PASSWORD });
    management.post("/api/users", body).await.expect(200);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let email = crate::browser::credentials("email", "ada@example.com", PASSWORD);
    let verified = browser.post("/verification/password", email).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.post("/profile", json!({ "type": "username", "value": "ada" })).await.expect(204);
    management.post("/api/users", json!({ "username": "ADA" })).await.expect(200);
    browser.submit().await.expect_api_error(422, "user.username_already_in_use");
    assert_eq!(browser.session, None);
    browser.post("/profile", json!({ "type": "username", "value": "ada2" })).await.expect(204);
    browser.submit().await.expect(200);
});
