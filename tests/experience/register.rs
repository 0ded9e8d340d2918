//! Registering with a user name and a password.

use crate::browser::{Browser, PASSWORD, credentials, sessions_of, settings, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(somebody_registers_and_signs_in_again, async |server: TestServer| {
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", PASSWORD).await.expect(200);
    let state = browser.state().await;
    assert_eq!(state["verificationRecords"][0]["type"], "NewPasswordIdentity");
    assert!(!state.to_string().contains("argon2"), "{state}");
    browser.identify(&chosen).await.expect(201);
    let management = server.management().await;
    let found = management.get("/api/users?search.username=ada&mode.username=exact").await.expect(200);
    let user = found.body[0].clone();
    assert_eq!(user["applicationId"], server.demo().spa_client_id.as_str());
    assert_eq!((&user["lastSignInAt"], &user["hasPassword"]), (&json!(null), &json!(true)));
    browser.submit().await.expect(200);
    assert_eq!(sessions_of(&server, &browser).await, [user["id"].as_str().unwrap()]);
    let configs = format!("/api/users/{}/logto-configs", user["id"].as_str().unwrap());
    assert_eq!(management.get(&configs).await.expect(200)["mfa"]["enabled"], false);

    Browser::new(&server).await.sign_in("ada").await;
});

both!(names_and_passwords_are_checked, async |server: TestServer| {
    user(&server, "ada").await;
    let policy = json!({ "minLength": 3, "maxLength": 12, "allowedChars": { "uppercase": false } });
    settings(&server, json!({ "usernamePolicy": policy })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    for (name, code) in [
        ("", "user.username_required"),
        ("9lives", "user.username_starts_with_number"),
        ("a b", "user.username_invalid_charset_hard"),
        ("ab", "user.username_too_short"),
        ("abcdefghijklm", "user.username_too_long"),
        ("Grace", "user.username_uppercase_not_allowed"),
        ("ada", "user.username_already_in_use"),
    ] {
        browser.choose(name, PASSWORD).await.expect_api_error(422, code);
    }
    let refused = browser.choose("grace", "grace").await;
    refused.expect_api_error(422, "password.rejected");
    let issues = json!([
        { "code": "password_rejected.too_short", "interpolation": { "min": 8 } },
        { "code": "password_rejected.pwned" },
        { "code": "password_rejected.restricted.user_info" },
    ]);
    assert_eq!(refused["data"]["issues"], issues);
    let by_email = credentials("email", "grace@example.com", PASSWORD);
    browser.post("/verification/new-password-identity", by_email).await.expect_api_error(400, "guard.invalid_input");
    assert_eq!(browser.state().await["verificationRecords"], json!([]));
});

both!(a_sign_in_may_become_a_registration, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    browser.choose("grace", "grace").await.expect_api_error(422, "password.rejected");
    browser.choose("ada", PASSWORD).await.expect_api_error(422, "user.username_already_in_use");
    let chosen = browser.choose("grace", PASSWORD).await.expect(200);
    // It identifies nobody who signs in.
    browser.identify(&chosen).await.expect_api_error(400, "session.verification_failed");
    browser.switch("Register").await.expect(204);
    browser.identify(&chosen).await.expect(201);
    browser.submit().await.expect(200);
    // Not where nobody registers, or for a forgotten password.
    let mut forgetful = Browser::new(&server).await;
    forgetful.start("ForgotPassword").await.expect(204);
    forgetful.choose("eve", PASSWORD).await.expect_api_error(400, "session.invalid_interaction_type");
    settings(&server, json!({ "signInMode": "SignIn" })).await;
    let mut late = Browser::new(&server).await;
    late.start("SignIn").await.expect(204);
    late.choose("ada", PASSWORD).await.expect_api_error(403, "auth.forbidden");
});

both!(a_name_that_was_taken_meanwhile_can_be_chosen_anew, async |server: TestServer| {
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", PASSWORD).await.expect(200);
    user(&server, "ada").await;
    browser.identify(&chosen).await.expect_api_error(422, "user.username_already_in_use");
    let chosen = browser.choose("grace", PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
    browser.identify(&chosen).await.expect_api_error(409, "session.identity_conflict");
    browser.submit().await.expect(200);
});

both!(what_is_missing_is_asked_for_and_what_was_given_is_kept, async |server: TestServer| {
    let sign_up = json!({ "identifiers": ["username"], "password": true, "verify": false });
    settings(&server, json!({ "signUp": sign_up })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    browser.post("/profile", json!({ "type": "username", "value": "ada" })).await.expect(204);
    let refused = browser.post("/identification", json!({})).await;
    refused.expect_api_error(422, "user.missing_profile");
    assert_eq!(refused["data"], json!({ "missingProfile": ["password"], "next": "profile" }));
    assert_eq!(browser.state().await["profile"], json!({ "username": "ada" }));
    browser
        .post("/profile", json!({ "type": "password", "value": "ada" }))
        .await
        .expect_api_error(422, "password.rejected");
    browser.post("/profile", json!({ "type": "password", "value": PASSWORD })).await.expect(204);
    browser.post("/identification", json!({})).await.expect(201);
    browser.submit().await.expect(200);
    Browser::new(&server).await.sign_in("ada").await;
});

both!(of_two_who_register_the_same_name_at_once_one_does, async |server: TestServer| {
    let (mut one, mut other) = (Browser::new(&server).await, Browser::new(&server).await);
    for browser in [&mut one, &mut other] {
        browser.start("Register").await.expect(204);
    }
    let (first, second) =
        (one.choose("ada", PASSWORD).await.expect(200), other.choose("Ada", PASSWORD).await.expect(200));
    let (first, second) = tokio::join!(one.identify(&first), other.identify(&second));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
    let loser = if first.status == 422 { first } else { second };
    loser.expect_api_error(422, "user.username_already_in_use");
});
