//! What changes while somebody proves a second factor, or sets one up.

use super::{STEP, give, policy};
use crate::browser::{Browser, PASSWORD, user};
use claimsmith_test_support::{TestServer, both, one_time_password};
use serde_json::{Value, json};

both!(whoever_may_not_sign_in_proves_nothing, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let management = server.management().await;
    let id = user(&server, "ada").await;
    let path = format!("/api/users/{id}");
    let (secret, codes) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    browser.totp(&one_time_password(&server, &secret)).await.expect_api_error(401, "user.suspended");
    browser.backup_code(&codes[0]).await.expect_api_error(401, "user.suspended");
    browser.post("/verification/totp/secret", Value::Null).await.expect_api_error(401, "user.suspended");
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
    // Nothing was used by that.
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    browser.submit().await.expect_api_error(401, "user.suspended");
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);

    // Another password than was proved.
    management.patch(&format!("{path}/password"), json!({ "password": "another good password" })).await.expect(200);
    browser.backup_code(&codes[0]).await.expect_api_error(400, "session.verification_failed");
    management.patch(&format!("{path}/password"), json!({ "password": PASSWORD })).await.expect(200);
    let mut other = Browser::new(&server).await;
    other.identified("ada").await;
    management.delete(&path).await.expect(204);
    other.totp(&one_time_password(&server, &secret)).await.expect_api_error(404, "user.user_not_exist");
    other.backup_code(&codes[1]).await.expect_api_error(404, "user.user_not_exist");
    other.submit().await.expect_api_error(404, "user.user_not_exist");
    assert_eq!((browser.session, other.session), (None, None));
});

both!(a_proof_is_void_without_its_factor, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp"]).await;
    let management = server.management().await;
    let id = user(&server, "ada").await;
    let path = format!("/api/users/{id}/mfa-verifications");
    let remove = async || {
        for factor in management.get(&path).await.expect(200).body.as_array().unwrap() {
            management.delete(&format!("{path}/{}", factor["id"].as_str().unwrap())).await.expect(204);
        }
    };
    let (secret, _) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    remove().await;
    browser.submit().await.expect_api_error(422, "user.missing_mfa");
    browser.totp(&one_time_password(&server, &secret)).await.expect_api_error(400, "session.mfa.invalid_totp_code");
    // Another one has to be proved itself.
    let (secret, _) = give(&server, &id).await;
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    server.clock.advance(STEP);
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect(200);
});

both!(a_factor_that_came_meanwhile_has_to_be_proved, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.set_up(&server).await;
    browser.keep_codes().await;
    let (secret, _) = give(&server, &id).await;
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect_api_error(422, "user.totp_already_in_use");
    assert_eq!(browser.session, None);
});

both!(a_factor_of_a_type_that_is_off_proves_nothing, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp", "EmailVerificationCode"]).await;
    let body = json!({ "username": "ada", "primaryEmail": "ada@example.com", "password": PASSWORD });
    let id = server.management().await.post("/api/users", body).await.expect(200).text("id");
    let (secret, _) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    server.clock.advance(STEP);
    // It can be verified, and counts as long as it is among the factors.
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    policy(&server, "Mandatory", &["Totp", "EmailVerificationCode"]).await;
    browser.submit().await.expect(200);
});

both!(what_somebody_proved_before_is_nobody_elses, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp"]).await;
    let (ada, grace) = (user(&server, "ada").await, user(&server, "grace").await);
    give(&server, &ada).await;
    let (secret, _) = give(&server, &grace).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("grace").await;
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    // The verifications stay, and who it was is forgotten.
    browser.switch("Register").await.expect(204);
    browser.switch("SignIn").await.expect(204);
    let verified = browser.verify("ada", PASSWORD).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
});

both!(two_browsers_set_up_one_factor, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp"]).await;
    let id = user(&server, "ada").await;
    let (mut one, mut other) = (Browser::new(&server).await, Browser::new(&server).await);
    for browser in [&mut one, &mut other] {
        browser.identified("ada").await;
        browser.set_up(&server).await;
    }
    let (first, second) = tokio::join!(one.submit(), other.submit());
    let mut answers = [first.status, second.status];
    answers.sort_unstable();
    assert_eq!(answers, [200, 403]);
    assert_eq!(crate::factors::factors(&server, &id).await.len(), 1);
});
