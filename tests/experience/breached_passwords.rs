//! Breached passwords: who registers and who forgot theirs cannot choose one, and the policy can allow them.

use crate::browser::{Browser, PASSWORD, settings, take_codes, user_with_email};
use claimsmith_test_support::{BREACHED_PASSWORD, Home, Mailed, both, breached_file};
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;

const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");

both!(nobody_chooses_a_breached_password, async |home: Arc<Home>| {
    let file = breached_file(BINARY, &home).await;
    let Mailed { server, inbox } = Mailed::start(&home, &[("CLAIMSMITH_PASSWORDS_BREACHED_FILE", &file)]).await;
    let pwned = json!([{ "code": "password_rejected.pwned" }]);

    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let refused = browser.choose("ada", BREACHED_PASSWORD).await;
    refused.expect_api_error(422, "password.rejected");
    assert_eq!(refused["data"]["issues"], pwned);
    browser.choose("ada", PASSWORD).await.expect(200);

    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let given = json!({ "type": "password", "value": BREACHED_PASSWORD });
    browser.post("/profile", given.clone()).await.expect_api_error(422, "password.rejected");

    take_codes(&server).await;
    user_with_email(&server, "ada@example.com").await;
    let mut forgetful = Browser::new(&server).await;
    forgetful.start("ForgotPassword").await.expect(204);
    let verified = forgetful.prove(&inbox, "ada@example.com", "ForgotPassword", 1).await;
    forgetful.identify(&verified).await.expect(204);
    let chosen = json!({ "password": BREACHED_PASSWORD });
    let refused = forgetful.send(Method::PUT, "/profile/password", chosen.clone()).await;
    refused.expect_api_error(422, "password.rejected");
    assert_eq!(refused["data"]["issues"], pwned);

    let management = server.management().await;
    settings(&server, json!({ "passwordPolicy": { "rejects": { "userInfo": false } } })).await;
    let check = "/api/sign-in-exp/default/check-password";
    let refused = management.post(check, chosen.clone()).await.expect(400);
    assert_eq!(refused.body, json!({ "result": false, "issues": pwned }));

    // Whoever operates the server may say that it does not matter.
    settings(&server, json!({ "passwordPolicy": { "rejects": { "pwned": false } } })).await;
    management.post(check, chosen.clone()).await.expect(200);
    forgetful.send(Method::PUT, "/profile/password", chosen).await.expect(204);
    browser.post("/profile", given).await.expect(204);
});

both!(without_a_list_only_common_passwords_are_refused, async |home: Arc<Home>| {
    let Mailed { server, inbox: _inbox } = Mailed::start(&home, &[]).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    browser.choose("ada", BREACHED_PASSWORD).await.expect(200);
    browser.choose("ada", "P@ssw0rd!").await.expect_api_error(422, "password.rejected");
});
