//! Passkeys by the Account API.

use super::{ALL, casey, settings, sign_in_settings, with};
use claimsmith_test_support::{Authenticator, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

const FACTORS: &str = "/mfa-verifications";

both!(a_passkey_is_made_named_and_removed, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    sign_in_settings(&server, json!({ "mfa": { "factors": ["WebAuthn"], "policy": "UserControlled" } })).await;
    let mut authenticator = Authenticator::new(&server.report.base_url);
    let register = "/api/verifications/web-authn/registration";
    let asked = casey.actor.post(register, Value::Null).await.expect(200);
    let record = asked.text("verificationRecordId");
    assert_eq!(asked.text("expiresAt"), claimsmith_domain::clock::iso8601(server.clock.now_ms() + 600_000));
    let add = json!({ "type": "WebAuthn", "newIdentifierVerificationRecordId": record, "name": "My key" });
    casey.proved(Method::POST, FACTORS, add.clone()).await.expect_api_error(400, "verification_record.not_found");
    let verify = format!("{register}/verify");
    let answer =
        json!({ "verificationRecordId": record, "payload": authenticator.create(&asked["registrationOptions"]) });
    // Somebody else cannot answer, and what is no passkey proves nothing.
    let other = with(&server, &server.demo().engineer_user_id.clone(), ALL).await;
    other.actor.post(&verify, answer.clone()).await.expect_api_error(400, "verification_record.not_found");
    let nothing = json!({ "verificationRecordId": record, "payload": {} });
    casey.actor.post(&verify, nothing).await.expect_api_error(400, "session.mfa.webauthn_verification_failed");
    casey.actor.post(&verify, answer.clone()).await.expect(200);
    casey.actor.post(&verify, answer).await.expect_api_error(400, "verification_record.not_found");
    let refused = casey.send("nothing", Method::POST, FACTORS, add.clone()).await;
    refused.expect_api_error(401, "verification_record.permission_denied");
    casey.proved(Method::POST, FACTORS, add.clone()).await.expect(204);
    casey.proved(Method::POST, FACTORS, add).await.expect_api_error(400, "verification_record.not_found");

    let listed = casey.actor.get("/api/my-account/mfa-verifications").await.expect(200).body;
    assert_eq!((&listed[0]["type"], &listed[0]["name"]), (&json!("WebAuthn"), &json!("My key")), "{listed:#}");
    let path = format!("{FACTORS}/{}", listed[0]["id"].as_str().unwrap());
    casey.proved(Method::PATCH, &format!("{path}/name"), json!({ "name": "Blue" })).await.expect(200);
    let listed = casey.actor.get("/api/my-account/mfa-verifications").await.expect(200).body;
    assert_eq!(listed[0]["name"], "Blue");
    // The browser is told which ones there are, and the same one is not taken twice.
    let again = casey.actor.post(register, Value::Null).await.expect(200);
    assert_eq!(again["registrationOptions"]["excludeCredentials"][0]["id"], json!(authenticator.id()));
    let twice = json!({
        "verificationRecordId": again.text("verificationRecordId"),
        "payload": authenticator.create(&again["registrationOptions"]),
    });
    casey.actor.post(&verify, twice).await.expect_api_error(400, "session.mfa.webauthn_verification_failed");
    casey.proved(Method::DELETE, &path, Value::Null).await.expect(204);
    casey.proved(Method::DELETE, &path, Value::Null).await.expect_api_error(404, "entity.not_found");
});

both!(passkeys_need_a_use_and_a_field, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let register = "/api/verifications/web-authn/registration";
    casey.actor.post(register, Value::Null).await.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    sign_in_settings(&server, json!({ "passkeySignIn": { "enabled": true } })).await;
    casey.actor.post(register, Value::Null).await.expect(200);
    settings(&server, json!({ "fields": { "passkey": "Edit" } })).await;
    casey.actor.post(register, Value::Null).await.expect(200);
    settings(&server, json!({ "fields": { "mfa": "ReadOnly", "passkey": "ReadOnly" } })).await;
    casey.actor.post(register, Value::Null).await.expect_api_error(400, "account_center.field_not_editable");
});
