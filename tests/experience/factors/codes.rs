//! Codes by email and text message as second factors.

use super::{amr, give, policy};
use crate::browser::{Browser, PASSWORD, credentials, settings};
use claimsmith_test_support::{Answer, Inbox, Mailed, TestServer, both, one_time_password};
use serde_json::{Value, json};

const ADA: &str = "ada@example.com";
const MISMATCH: &str = "verification_code.code_mismatch";

/// A user with a name, a password, and perhaps an address.
async fn user(server: &TestServer, email: Option<&str>) -> String {
    let mut body = json!({ "username": "ada", "password": PASSWORD });
    if let Some(email) = email {
        body["primaryEmail"] = json!(email);
    }
    server.management().await.post("/api/users", body).await.expect(200).text("id")
}

/// Asks for a code over this.
async fn send(browser: &mut Browser, over: &str) -> Answer {
    browser.post("/verification/mfa-verification-code", json!({ "identifierType": over })).await
}

/// Types one.
async fn verify(browser: &mut Browser, over: &str, sent: &Answer, code: &str) -> Answer {
    let body = json!({ "identifierType": over, "verificationId": sent["verificationId"], "code": code });
    browser.post("/verification/mfa-verification-code/verify", body).await
}

both!(a_code_to_the_address_of_the_user_is_a_second_factor, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode", "PhoneVerificationCode"]).await;
    user(&server, Some(ADA)).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    send(&mut browser, "email").await.expect_api_error(400, "session.identifier_not_found");
    browser.identified("ada").await;
    let required = browser.submit().await;
    required.expect_api_error(403, "session.mfa.require_mfa_verification");
    let data = json!({ "availableFactors": ["EmailVerificationCode"],
        "maskedIdentifiers": { "EmailVerificationCode": "a***@example.com" },
        "next": "verification/mfa-verification-code" });
    assert_eq!(required["data"], data);
    // There is no number to send one to.
    send(&mut browser, "phone").await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    let sent = send(&mut browser, "email").await.expect(200);
    assert_eq!(inbox.message(ADA, 1).await["type"], "MfaVerification");
    let code = inbox.code(ADA, 1).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    verify(&mut browser, "email", &sent, wrong).await.expect_api_error(400, MISMATCH);
    // It identifies nobody, and is no code of the address.
    browser.identify(&sent).await.expect_api_error(400, "session.verification_failed");
    browser.type_code("email", ADA, &sent, &code).await.expect_api_error(404, "session.verification_session_not_found");
    verify(&mut browser, "phone", &sent, &code).await.expect_api_error(404, "session.verification_session_not_found");
    server.put_off(ADA).await;
    verify(&mut browser, "email", &sent, &code).await.expect(200);
    // Nor is it sent any more.
    assert_eq!(server.withdrawn(ADA).await, 1);
    verify(&mut browser, "email", &sent, &code).await.expect_api_error(400, "verification_code.not_found");
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
});

both!(a_code_of_the_address_proves_no_second_factor, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    user(&server, Some(ADA)).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    // What came for linking is not what came as a factor.
    browser.prove(&inbox, ADA, "SignIn", 1).await;
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
});

both!(the_mailbox_alone_is_not_both_factors, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["Totp", "EmailVerificationCode"]).await;
    let id = user(&server, Some(ADA)).await;
    let (secret, _) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.start("ForgotPassword").await.expect(204);
    let refused = browser.ask("email", ADA, "ForgotPassword").await;
    refused.expect_api_error(422, "session.not_supported_for_forgot_password");
    // What was opened by a link is not proved once more by a code.
    let made = server.management().await.post("/api/one-time-tokens", json!({ "email": ADA })).await.expect(201);
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    let body = json!({ "identifier": { "type": "email", "value": ADA }, "token": made["token"] });
    let verified = browser.post("/verification/one-time-token/verify", body).await.expect(200);
    browser.identify(&verified).await.expect(204);
    let required = browser.submit().await;
    required.expect_api_error(403, "session.mfa.require_mfa_verification");
    assert_eq!(required["data"]["availableFactors"], json!(["Totp"]));
    send(&mut browser, "email").await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    assert_eq!(inbox.count(), 0);
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["otp", "mfa"]);
});

both!(a_link_is_the_only_factor_of_whoever_has_no_other, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    user(&server, Some(ADA)).await;
    let made = server.management().await.post("/api/one-time-tokens", json!({ "email": ADA })).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let body = json!({ "identifier": { "type": "email", "value": ADA }, "token": made["token"] });
    let verified = browser.post("/verification/one-time-token/verify", body).await.expect(200);
    browser.identify(&verified).await.expect(204);
    // Everybody needs a second one.
    browser.submit().await.expect_api_error(422, "user.missing_mfa");
    assert_eq!((browser.session, inbox.count()), (None, 0));
});

both!(somebody_without_an_address_sets_codes_up, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    let id = user(&server, None).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let missing = browser.submit().await;
    missing.expect_api_error(422, "user.missing_mfa");
    assert_eq!(missing["data"]["availableFactors"], json!(["EmailVerificationCode"]));
    let sent = browser.ask("email", ADA, "SignIn").await.expect(200);
    assert_eq!(inbox.message(ADA, 1).await["type"], "BindMfa");
    let bind = json!({ "type": "EmailVerificationCode", "verificationId": sent["verificationId"] });
    browser.post("/profile/mfa", bind.clone()).await.expect_api_error(400, "session.verification_failed");
    let code = inbox.code(ADA, 1).await;
    browser.type_code("email", ADA, &sent, &code).await.expect(200);
    browser.post("/profile/mfa", bind).await.expect(204);
    browser.submit().await.expect(200);
    let shown = server.management().await.get(&format!("/api/users/{id}")).await.expect(200);
    assert_eq!(shown["primaryEmail"], ADA);
    // From now on they are asked for it.
    let mut again = Browser::new(&server).await;
    again.identified("ada").await;
    again.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
});

/// Registers with an address and [`PASSWORD`], up to the submission.
async fn register(browser: &mut Browser, inbox: &Inbox, email: &str) {
    browser.start("Register").await.expect(204);
    let verified = browser.prove(inbox, email, "Register", 1).await;
    browser.identify(&verified).await.expect_api_error(422, "user.missing_profile");
    browser.post("/profile", json!({ "type": "password", "value": PASSWORD })).await.expect(204);
    browser.post("/identification", json!({})).await.expect(201);
}

both!(who_registers_with_an_address_is_offered_a_further_factor, async |mailed: Mailed| {
    const SUGGESTED: &str = "session.mfa.suggest_additional_mfa";
    let Mailed { server, inbox } = mailed;
    let by = json!({ "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true });
    let sign_up = json!({ "identifiers": ["email"], "password": true, "verify": true });
    settings(&server, json!({ "signIn": { "methods": [by] }, "signUp": sign_up })).await;
    policy(&server, "Mandatory", &["EmailVerificationCode", "Totp"]).await;
    let mut browser = Browser::new(&server).await;
    register(&mut browser, &inbox, ADA).await;
    let suggested = browser.submit().await;
    suggested.expect_api_error(422, SUGGESTED);
    let data = json!({ "availableFactors": ["Totp", "EmailVerificationCode"],
        "maskedIdentifiers": { "EmailVerificationCode": "a***@example.com" },
        "skippable": true, "suggestion": true, "next": "profile/mfa/mfa-suggestion-skipped" });
    assert_eq!(suggested["data"], data);
    let skipped = browser.post("/profile/mfa/mfa-skipped", Value::Null).await;
    skipped.expect_api_error(422, "session.mfa.mfa_policy_not_user_controlled");
    browser.post("/profile/mfa/mfa-suggestion-skipped", Value::Null).await.expect(204);
    browser.submit().await.expect(200);
    // Or sets it up.
    let mut other = Browser::new(&server).await;
    register(&mut other, &inbox, "grace@example.com").await;
    other.submit().await.expect_api_error(422, SUGGESTED);
    other.set_up(&server).await;
    other.submit().await.expect(200);
    // Nobody is offered one who signs in, or to whom the policy says nothing when they register.
    let mut later = Browser::new(&server).await;
    later.start("SignIn").await.expect(204);
    let verified = later.post("/verification/password", credentials("email", ADA, PASSWORD)).await.expect(200);
    later.identify(&verified).await.expect(204);
    later.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    policy(&server, "PromptOnlyAtSignInMandatory", &["EmailVerificationCode", "Totp"]).await;
    let mut third = Browser::new(&server).await;
    register(&mut third, &inbox, "eve@example.com").await;
    third.submit().await.expect(200);
});

both!(backup_codes_go_with_codes_to_a_new_address, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode", "BackupCode"]).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
    browser.submit().await.expect_api_error(422, "user.missing_mfa");
    let made = browser.post("/verification/backup-code/generate", Value::Null).await.expect(200);
    let alone = browser.bind("BackupCode", &made.text("verificationId")).await;
    alone.expect_api_error(422, "session.mfa.backup_code_can_not_be_alone");
    let verified = browser.prove(&inbox, ADA, "Register", 1).await;
    browser.bind("EmailVerificationCode", &verified.text("verificationId")).await.expect(204);
    browser.submit().await.expect_api_error(422, "session.mfa.backup_code_required");
    browser.keep_codes().await;
    browser.submit().await.expect(200);
});

both!(who_wants_none_is_not_asked, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "UserControlled", &["EmailVerificationCode"]).await;
    user(&server, Some(ADA)).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.submit().await.expect_api_error(422, "user.suggest_mfa");
    browser.post("/profile/mfa/mfa-skipped", Value::Null).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(inbox.count(), 0);
    settings(&server, json!({ "mfa": { "policy": "UserControlled", "factors": [] } })).await;
    let mut off = Browser::new(&server).await;
    off.identified("ada").await;
    send(&mut off, "email").await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    off.submit().await.expect(200);
});

both!(too_many_wrong_codes_lock_the_factor, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 3 } })).await;
    user(&server, Some(ADA)).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let sent = send(&mut browser, "email").await.expect(200);
    let code = inbox.code(ADA, 1).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for code in [MISMATCH, MISMATCH, "session.verification_blocked_too_many_attempts"] {
        verify(&mut browser, "email", &sent, wrong).await.expect_api_error(400, code);
    }
    let blocked = verify(&mut browser, "email", &sent, &code).await;
    blocked.expect_api_error(400, "session.verification_blocked_too_many_attempts");
    // Whoever administers users unlocks them.
    let body = json!({ "targetType": "User", "targets": ["ada"] });
    server.management().await.post("/api/sentinel-activities/delete", body).await.expect(204);
    verify(&mut browser, "email", &sent, &code).await.expect(200);
    browser.submit().await.expect(200);
});

both!(a_code_proves_nothing_once_the_address_is_another, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    let path = format!("/api/users/{}", user(&server, Some(ADA)).await);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let sent = send(&mut browser, "email").await.expect(200);
    let code = inbox.code(ADA, 1).await;
    verify(&mut browser, "email", &sent, &code).await.expect(200);
    let management = server.management().await;
    management.patch(&path, json!({ "primaryEmail": "countess@example.com" })).await.expect(200);
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    management.patch(&path, json!({ "primaryEmail": ADA })).await.expect(200);
    browser.submit().await.expect(200);
});

both!(a_code_for_a_factor_registers_nobody, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    policy(&server, "Mandatory", &["EmailVerificationCode"]).await;
    user(&server, None).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let verified = browser.prove(&inbox, ADA, "SignIn", 1).await;
    assert_eq!(inbox.message(ADA, 1).await["type"], "BindMfa");
    browser.switch("Register").await.expect(204);
    browser.identify(&verified).await.expect_api_error(400, "session.verification_failed");
    assert_eq!(browser.state().await["profile"], json!({}));
});

both!(a_sign_up_with_codes_to_an_address_and_backup_codes_ends, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let factors = ["EmailVerificationCode", "BackupCode"];
    policy(&server, "Mandatory", &factors).await;
    // By name, then with an address as the second factor; and with the address from the start.
    for (is_by_email, email) in [(false, ADA), (true, "grace@example.com")] {
        if is_by_email {
            let sign_up = json!({ "identifiers": ["email"], "password": false, "verify": true });
            settings(&server, json!({ "signUp": sign_up })).await;
        }
        let mut browser = Browser::new(&server).await;
        browser.start("Register").await.expect(204);
        if is_by_email {
            let verified = browser.prove(&inbox, email, "Register", 1).await;
            browser.identify(&verified).await.expect(201);
        } else {
            let chosen = browser.choose("ada", PASSWORD).await.expect(200);
            browser.identify(&chosen).await.expect(201);
            browser.submit().await.expect_api_error(422, "user.missing_mfa");
            let verified = browser.prove(&inbox, email, "Register", 1).await;
            let bind = json!({ "type": "EmailVerificationCode", "verificationId": verified["verificationId"] });
            browser.post("/profile/mfa", bind).await.expect(204);
        }
        browser.submit().await.expect_api_error(422, "session.mfa.backup_code_required");
        let made = browser.post("/verification/backup-code/generate", Value::Null).await.expect(200);
        let bind = json!({ "type": "BackupCode", "verificationId": made["verificationId"] });
        browser.post("/profile/mfa", bind).await.expect(204);
        browser.submit().await.expect(200);
        let user = server.management().await.get(&format!("/api/users?search.primaryEmail={email}")).await.expect(200);
        let id = user.body[0]["id"].as_str().unwrap().to_owned();
        let kept = server.management().await.get(&format!("/api/users/{id}/mfa-verifications")).await.expect(200);
        assert_eq!(kept.body[0]["type"], "BackupCode", "{:#}", kept.body);
    }
});
