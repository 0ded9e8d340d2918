//! Setting up an authenticator and backup codes, where everybody needs them.

use super::{STEP, amr, factors, policy, wrong};
use crate::browser::{Browser, PASSWORD, user};
use claimsmith_test_support::{TestServer, both, one_time_password};
use serde_json::{Value, json};

both!(who_lacks_a_factor_sets_it_up_and_proves_it_from_then_on, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let early = browser.post("/verification/totp/secret", Value::Null).await;
    early.expect_api_error(404, "session.identifier_not_found");
    browser.identified("ada").await;
    let refused = browser.submit().await;
    refused.expect_api_error(422, "user.missing_mfa");
    assert_eq!(refused["data"], json!({ "availableFactors": ["Totp"], "next": "verification/totp/secret" }));
    browser
        .post("/profile/mfa/mfa-skipped", Value::Null)
        .await
        .expect_api_error(422, "session.mfa.mfa_policy_not_user_controlled");

    let (secret, verification) = browser.new_secret().await;
    browser.bind("Totp", &verification).await.expect_api_error(400, "session.verification_failed");
    let mistyped = browser.confirm(&verification, &wrong(&server, &secret)).await;
    mistyped.expect_api_error(400, "session.mfa.invalid_totp_code");
    let code = one_time_password(&server, &secret);
    // The secret is not the user's yet.
    browser.totp(&code).await.expect_api_error(400, "session.mfa.invalid_totp_code");
    let confirmed = browser.confirm(&verification, &code).await.expect(200);
    assert_eq!(confirmed.text("verificationId"), verification);
    browser.bind("BackupCode", &verification).await.expect_api_error(400, "session.verification_failed");
    browser.bind("Totp", "unknown").await.expect_api_error(404, "session.verification_session_not_found");
    browser.bind("Totp", &verification).await.expect(204);
    let state = browser.state().await;
    assert_eq!(state["mfa"], json!({ "mfaEnabled": true, "totp": { "type": "Totp" } }));
    assert!(!state.to_string().contains(&secret), "{state}");

    let refused = browser.submit().await;
    refused.expect_api_error(422, "session.mfa.backup_code_required");
    assert_eq!(refused["data"], json!({ "next": "verification/backup-code/generate" }));
    assert!(factors(&server, &id).await.is_empty(), "nothing is written before the end");
    let codes = browser.keep_codes().await;
    assert_eq!(codes.len(), 10);
    browser.submit().await.expect(200);
    let totp = ("Totp".to_owned(), Value::Null);
    let mut had = factors(&server, &id).await;
    had.sort_by_key(|(kind, _)| kind.clone());
    assert_eq!(had, [("BackupCode".to_owned(), json!(10)), totp]);
    // What was set up in a sign-in proves nothing in it.
    assert_eq!(amr(&server, &browser).await, ["pwd"]);
    let settings = server.management().await.get(&format!("/api/users/{id}/logto-configs")).await.expect(200);
    assert_eq!((&settings["mfa"]["enabled"], &settings["mfa"]["skipped"]), (&json!(true), &json!(false)));

    let mut later = Browser::new(&server).await;
    later.identified("ada").await;
    let refused = later.submit().await;
    refused.expect_api_error(403, "session.mfa.require_mfa_verification");
    let data = json!({ "availableFactors": ["Totp", "BackupCode"], "maskedIdentifiers": {},
        "next": "verification/totp/verify" });
    assert_eq!(refused["data"], data);
    // The code that proved the new secret was used by that.
    later.totp(&code).await.expect_api_error(400, "session.mfa.invalid_totp_code");
    assert_eq!(later.session, None);
    server.clock.advance(STEP);
    let proved = later.totp(&one_time_password(&server, &secret)).await.expect(200);
    let state = later.state().await;
    let record = json!({ "id": proved["verificationId"], "type": "Totp", "userId": id, "verified": true });
    assert_eq!(state["verificationRecords"][1], record);
    later.submit().await.expect(200);
    assert_eq!(amr(&server, &later).await, ["pwd", "otp", "mfa"]);

    // Every step is in the log, and no secret.
    let logs = server.management().await.get("/api/logs?page_size=100").await.expect(200).body;
    for key in [
        "SignIn.Verification.Totp.Create",
        "SignIn.Verification.Totp.Submit",
        "SignIn.Verification.BackupCode.Create",
        "SignIn.BindMfa.Totp.Submit",
        "SignIn.BindMfa.BackupCode.Submit",
        "User.AddMfaFactor",
    ] {
        let key = format!("Interaction.{key}");
        assert!(logs.as_array().unwrap().iter().any(|log| log["key"] == key.as_str()), "no {key}");
    }
    let logs = logs.to_string();
    for told in [&secret, &codes[0], PASSWORD, &code] {
        assert!(!logs.contains(&format!("\"{told}\"")), "{told}");
    }
    assert!(!logs.contains(secret.as_str()) && !logs.contains(codes[0].as_str()));
});

both!(nothing_of_a_factor_is_stored_in_the_open, async |server: TestServer| {
    #[derive(claimsmith_storage::Row)]
    struct Row {
        text: String,
    }
    policy(&server, "Mandatory", &["Totp", "BackupCode"]).await;
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let secret = browser.set_up(&server).await;
    let codes = browser.keep_codes().await;
    let mut stored = Vec::new();
    let mut tx = server.begin().await;
    stored.extend(tx.sql("SELECT CAST(state AS TEXT) AS text FROM interactions").all::<Row>().await.unwrap());
    tx.commit().await.unwrap();
    browser.submit().await.expect(200);
    let mut tx = server.begin().await;
    let count = stored.len();
    stored.extend(tx.sql("SELECT sealed AS text FROM mfa_factors").all::<Row>().await.unwrap());
    assert_eq!((count > 0, stored.len() - count), (true, 2));
    for Row { text } in stored {
        assert!(!text.contains(&secret) && codes.iter().all(|code| !text.contains(code)), "{text}");
    }
});

both!(whoever_registers_sets_one_up_as_well, async |server: TestServer| {
    policy(&server, "Mandatory", &["Totp"]).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
    browser.submit().await.expect_api_error(422, "user.missing_mfa");
    browser.set_up(&server).await;
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd"]);
    Browser::new(&server).await.identified("ada").await;
    let mut later = Browser::new(&server).await;
    later.identified("ada").await;
    later.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
});

both!(what_the_settings_do_not_have_is_not_set_up, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp"]).await;
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let made = browser.post("/verification/backup-code/generate", Value::Null).await.expect(200);
    let id = made.text("verificationId");
    browser.bind("BackupCode", &id).await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    browser.bind("WebAuthn", &id).await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    browser.bind("Sms", &id).await.expect_api_error(400, "guard.invalid_input");
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    browser.bind("BackupCode", &id).await.expect_api_error(422, "session.mfa.backup_code_can_not_be_alone");
    browser.set_up(&server).await;
    browser.bind("BackupCode", &id).await.expect(204);
    // It goes while it is being set up.
    policy(&server, "UserControlled", &["WebAuthn"]).await;
    browser.submit().await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    browser.submit().await.expect(200);
});

both!(whoever_has_a_factor_proves_it_before_anything_else, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let (secret, _) = crate::factors::give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let (own, verification) = browser.new_secret().await;
    browser.confirm(&verification, &one_time_password(&server, &own)).await.expect(200);
    // A factor that was set up in this sign-in proves nothing.
    let required = "session.mfa.require_mfa_verification";
    browser.submit().await.expect_api_error(403, required);
    browser.bind("Totp", &verification).await.expect_api_error(403, required);
    for path in ["mfa-skipped", "mfa-enabled"] {
        browser.post(&format!("/profile/mfa/{path}"), Value::Null).await.expect_api_error(403, required);
    }
    let name = json!({ "type": "username", "value": "grace" });
    browser.post("/profile", name).await.expect_api_error(403, required);
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.bind("Totp", &verification).await.expect_api_error(422, "user.totp_already_in_use");
    let made = browser.post("/verification/backup-code/generate", Value::Null).await.expect(200);
    let made = browser.bind("BackupCode", &made.text("verificationId")).await;
    made.expect_api_error(422, "user.backup_code_already_in_use");
    browser.submit().await.expect(200);
    let late = browser.post("/verification/totp/secret", Value::Null).await;
    late.expect_api_error(400, "session.invalid_interaction_type");
});
