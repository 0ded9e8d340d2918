//! Passkeys as second factors: made where the policy asks for one, asked for from then on, several of a user.

use super::{authenticator, give};
use crate::browser::{Browser, settings, user};
use crate::factors::amr;
use claimsmith_test_support::{Authenticator, TestServer, both, one_time_password};
use serde_json::{Value, json};
use std::time::Duration;

async fn policy(server: &TestServer, policy: &str, factors: &[&str]) {
    settings(server, json!({ "mfa": { "policy": policy, "factors": factors } })).await;
}

both!(who_lacks_a_factor_makes_a_passkey_and_proves_it_from_then_on, async |server: TestServer| {
    policy(&server, "Mandatory", &["WebAuthn", "Totp"]).await;
    let id = user(&server, "ada").await;
    let mut passkey = authenticator(&server);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let refused = browser.submit().await;
    refused.expect_api_error(422, "user.missing_mfa");
    assert_eq!(refused["data"]["availableFactors"], json!(["WebAuthn", "Totp"]));
    let (verification, options) = browser.ask_for_new().await;
    assert_eq!(options["rp"]["id"], "localhost");
    assert_eq!(options["attestation"], "none");
    let selection = &options["authenticatorSelection"];
    assert_eq!((&selection["residentKey"], &selection["userVerification"]), (&json!("required"), &json!("required")));
    assert!(!options["user"]["id"].as_str().unwrap().contains(&id), "the handle says who it is: {options}");
    let bind = json!({ "type": "WebAuthn", "verificationId": verification });
    browser.post("/profile/mfa", bind.clone()).await.expect_api_error(400, "session.verification_failed");
    let made = passkey.create(&options);
    browser.confirm_new(&verification, made.clone()).await.expect(200);
    // Its question is answered.
    browser.confirm_new(&verification, made).await.expect_api_error(400, "session.mfa.pending_info_not_found");
    browser.post("/profile/mfa", bind).await.expect(204);
    let state = browser.state().await;
    assert_eq!(state["mfa"]["webAuthn"], json!([{ "type": "WebAuthn" }]));
    browser.submit().await.expect(200);
    // What was made just now proves nothing yet.
    assert_eq!(amr(&server, &browser).await, ["pwd"]);

    let listed = server.management().await.get(&format!("/api/users/{id}/mfa-verifications")).await.expect(200).body;
    assert_eq!(listed[0]["type"], "WebAuthn");
    let mut next = Browser::new(&server).await;
    next.identified("ada").await;
    next.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    let (verification, options) = next.ask_for_factor().await;
    assert_eq!(options["allowCredentials"], json!([{ "type": "public-key", "id": passkey.id() }]));
    next.prove_factor(&verification, passkey.get(&options)).await.expect(200);
    next.submit().await.expect(200);
    assert_eq!(amr(&server, &next).await, ["pwd", "hwk", "mfa"]);
    let listed = server.management().await.get(&format!("/api/users/{id}/mfa-verifications")).await.expect(200).body;
    assert!(listed[0]["lastUsedAt"].is_string(), "{listed}");
});

both!(a_user_has_several_and_loses_one, async |server: TestServer| {
    policy(&server, "UserControlled", &["WebAuthn"]).await;
    let id = user(&server, "ada").await;
    let mut first = give(&server, "ada").await;
    // They are listed in the order in which they were made.
    server.clock.advance(Duration::from_secs(1));
    let mut second = Authenticator::synced(&server.report.base_url);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let early = browser.post("/verification/web-authn/registration", Value::Null).await;
    early.expect_api_error(403, "session.mfa.require_mfa_verification");
    let (verification, options) = browser.ask_for_factor().await;
    browser.prove_factor(&verification, first.get(&options)).await.expect(200);
    let (verification, options) = browser.ask_for_new().await;
    assert_eq!(options["excludeCredentials"][0]["id"], first.id().as_str());
    browser.confirm_new(&verification, second.create(&options)).await.expect(200);
    browser.post("/profile/mfa/passkey", json!({ "verificationId": verification })).await.expect(204);
    browser.submit().await.expect(200);

    let management = server.management().await;
    let path = format!("/api/users/{id}/mfa-verifications");
    let listed = management.get(&path).await.expect(200).body;
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let mut third = Browser::new(&server).await;
    third.identified("ada").await;
    let (verification, options) = third.ask_for_factor().await;
    // The first one is taken from its user while they look for it.
    management.delete(&format!("{path}/{}", listed[0]["id"].as_str().unwrap())).await.expect(204);
    third.prove_factor(&verification, first.get(&options)).await.expect_api_error(400, crate::passkeys::REFUSED);
    third.prove_factor(&verification, second.get(&options)).await.expect(200);
    third.submit().await.expect(200);
    assert_eq!(amr(&server, &third).await, ["pwd", "swk", "mfa"]);
});

both!(who_got_a_factor_meanwhile_proves_it_before_a_passkey_is_kept, async |server: TestServer| {
    policy(&server, "Mandatory", &["WebAuthn", "Totp"]).await;
    let id = user(&server, "ada").await;
    let mut passkey = authenticator(&server);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let (verification, options) = browser.ask_for_new().await;
    browser.confirm_new(&verification, passkey.create(&options)).await.expect(200);
    let path = format!("/api/users/{id}/mfa-verifications");
    let secret = server.management().await.post(&path, json!({ "type": "Totp" })).await.expect(200).text("secret");
    let keep = json!({ "verificationId": verification });
    let refused = browser.post("/profile/mfa/passkey", keep.clone()).await;
    refused.expect_api_error(403, "session.mfa.require_mfa_verification");
    let code = json!({ "code": one_time_password(&server, &secret) });
    browser.post("/verification/totp/verify", code).await.expect(200);
    browser.post("/profile/mfa/passkey", keep).await.expect(204);
    browser.submit().await.expect(200);
});

both!(a_passkey_works_though_the_page_was_left_before_the_backup_codes, async |server: TestServer| {
    let passkeys = json!({ "enabled": true, "showPasskeyButton": true });
    let mfa = json!({ "policy": "Mandatory", "factors": ["WebAuthn", "BackupCode"] });
    settings(&server, json!({ "passkeySignIn": passkeys, "mfa": mfa })).await;
    let id = user(&server, "ada").await;
    let mut passkey = authenticator(&server);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.make_passkey(&mut passkey).await;
    // The answers are those of a passkey that waits for the submission.
    assert_eq!(browser.state().await["mfa"]["webAuthn"], json!([{ "type": "WebAuthn" }]));
    browser.submit().await.expect_api_error(422, "session.mfa.backup_code_required");
    let listed = server.management().await.get(&format!("/api/users/{id}/mfa-verifications")).await.expect(200).body;
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["type"]), (1, &json!("WebAuthn")));

    // The page was left; the passkey signs in.
    let mut next = Browser::new(&server).await;
    let options = next.preflight().await;
    next.start("SignIn").await.expect(204);
    let proved = next.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    next.identify(&proved).await.expect(204);
    next.submit().await.expect_api_error(422, "session.mfa.backup_code_required");

    // The first page goes on where it was, and nothing is added twice.
    let codes =
        browser.post("/verification/backup-code/generate", Value::Null).await.expect(200).text("verificationId");
    browser.post("/profile/mfa", json!({ "type": "BackupCode", "verificationId": codes })).await.expect(204);
    browser.submit().await.expect(200);
    let listed = server.management().await.get(&format!("/api/users/{id}/mfa-verifications")).await.expect(200).body;
    assert_eq!(listed.as_array().unwrap().iter().filter(|factor| factor["type"] == "WebAuthn").count(), 1);
});
