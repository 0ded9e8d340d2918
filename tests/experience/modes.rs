//! Whether people may sign in, register, or both.

use crate::browser::{Browser, PASSWORD, settings, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(where_nobody_registers_nobody_does, async |server: TestServer| {
    let mut early = Browser::new(&server).await;
    early.start("Register").await.expect(204);
    let chosen = early.choose("ada", PASSWORD).await.expect(200);
    settings(&server, json!({ "signInMode": "SignIn" })).await;
    early.identify(&chosen).await.expect_api_error(403, "auth.forbidden");
    early.choose("ada", PASSWORD).await.expect_api_error(403, "auth.forbidden");

    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect_api_error(403, "auth.forbidden");
    browser.start("SignIn").await.expect(204);
    browser.switch("Register").await.expect_api_error(403, "auth.forbidden");
    let found = server.management().await.get("/api/users?search.username=ada&mode.username=exact").await;
    assert_eq!(found.expect(200).body, json!([]));
});

both!(where_nobody_signs_in_nobody_does, async |server: TestServer| {
    user(&server, "ada").await;
    let mut early = Browser::new(&server).await;
    early.identified("ada").await;
    settings(&server, json!({ "signInMode": "Register" })).await;
    early.submit().await.expect_api_error(403, "auth.forbidden");
    // It does not even say whether the password is right.
    early.verify("ada", PASSWORD).await.expect_api_error(403, "auth.forbidden");
    early.verify("ada", "wrong").await.expect_api_error(403, "auth.forbidden");
    Browser::new(&server).await.start("SignIn").await.expect_api_error(403, "auth.forbidden");
    Browser::new(&server).await.register("grace").await;
});

both!(whoever_has_no_account_switches_to_registration, async |server: TestServer| {
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.switch("ForgotPassword").await.expect_api_error(400, "session.not_supported_for_forgot_password");
    browser.switch("Register").await.expect(204);
    // It is nobody's again.
    assert_eq!(browser.state().await.get("userId"), None);
    browser.submit().await.expect_api_error(404, "session.identifier_not_found");
    let chosen = browser.choose("grace", PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
    // There is no way back from an account that exists.
    browser.switch("SignIn").await.expect_api_error(400, "session.invalid_interaction_type");
    browser.submit().await.expect(200);
});
