//! Codes in the Account API: as a proof for whoever has no password, and to new addresses and numbers.

use super::{ALL, Casey, casey, settings, sign_in_settings, with};
use claimsmith_services::tokens;
use claimsmith_storage::sessions::attempts;
use claimsmith_test_support::{Answer, Mailed, TestServer, Upstream, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const LEE: &str = "lee@example.com";
const NEW: &str = "new@example.com";
const PHONE: &str = "4915112345678";

/// Somebody without a password, who has an address.
async fn lee(server: &TestServer) -> Casey {
    casey(server, ALL).await;
    let body = json!({ "username": "lee", "primaryEmail": LEE });
    let id = server.management().await.post("/api/users", body).await.expect(200).text("id");
    with(server, &id.as_str().into(), ALL).await
}

impl Casey {
    /// Asks for a code.
    async fn ask(&self, kind: &str, value: &str) -> Answer {
        let body = json!({ "identifier": { "type": kind, "value": value } });
        self.actor.post("/api/verifications/verification-code", body).await
    }

    /// Types one.
    async fn type_code(&self, kind: &str, value: &str, record: &str, code: &str) -> Answer {
        let identifier = json!({ "type": kind, "value": value });
        let body = json!({ "identifier": identifier, "verificationId": record, "code": code });
        self.actor.post("/api/verifications/verification-code/verify", body).await
    }

    /// Takes a new address or number.
    async fn take(&self, proof: &str, kind: &str, value: &str, record: &str) -> Answer {
        let body = json!({ kind: value, "newIdentifierVerificationRecordId": record });
        self.send(proof, Method::POST, &format!("/primary-{kind}"), body).await
    }
}

fn not_found(answer: &Answer) {
    answer.expect_api_error(400, "verification_record.not_found");
}

both!(whoever_has_no_password_proves_themselves_by_a_code, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let lee = lee(&server).await;
    let sent = lee.ask("email", "LEE@example.com").await.expect(201);
    let record = sent.text("verificationRecordId");
    assert_eq!(sent.text("expiresAt"), claimsmith_domain::clock::iso8601(server.clock.now_ms() + 600_000));
    assert_eq!(inbox.message(LEE, 1).await["type"], "UserPermissionValidation");
    let code = inbox.code(LEE, 1).await;
    let sessions = async |record: &str| lee.send(record, Method::GET, "/sessions", Value::Null).await;
    // It proves nothing until it came back.
    sessions(&record).await.expect_api_error(401, "verification_record.permission_denied");
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let refused = lee.type_code("email", LEE, &record, wrong).await;
    refused.expect_api_error(400, "verification_code.code_mismatch");
    let refused = lee.type_code("email", NEW, &record, &code).await;
    refused.expect_api_error(400, "verification_code.email_mismatch");
    not_found(&lee.type_code("email", LEE, "another", &code).await);
    server.put_off(LEE).await;
    let proved = lee.type_code("email", LEE, &record, &code).await.expect(200);
    assert_eq!(proved.body, json!({ "verificationRecordId": record }));
    assert_eq!(server.withdrawn(LEE).await, 1);
    not_found(&lee.type_code("email", LEE, &record, &code).await);
    sessions(&record).await.expect(200);
    let body = json!({ "password": "violet-kettle-42" });
    lee.send(&record, Method::POST, "/password", body).await.expect(204);
    // The new password voids it.
    let lee = with(&server, &lee.id, ALL).await;
    let again = lee.send(&record, Method::GET, "/sessions", Value::Null).await;
    again.expect_api_error(401, "verification_record.permission_denied");
});

both!(a_code_of_another_person_or_purpose_proves_nothing, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let lee = lee(&server).await;
    let mallory = json!({ "username": "mallory", "primaryEmail": "mallory@example.com" });
    let id = server.management().await.post("/api/users", mallory).await.expect(200).text("id");
    let mallory = with(&server, &id.as_str().into(), ALL).await;
    let record = lee.ask("email", LEE).await.expect(201).text("verificationRecordId");
    let code = inbox.code(LEE, 1).await;
    not_found(&mallory.type_code("email", LEE, &record, &code).await);
    lee.type_code("email", LEE, &record, &code).await.expect(200);
    let stolen = mallory.send(&record, Method::GET, "/sessions", Value::Null).await;
    stolen.expect_api_error(401, "verification_record.permission_denied");
    // A code to an address that somebody does not have proves not who they are.
    let record = mallory.ask("email", LEE).await.expect(201).text("verificationRecordId");
    assert_eq!(inbox.message(LEE, 2).await["type"], "BindNewIdentifier");
    let code = inbox.code(LEE, 2).await;
    mallory.type_code("email", LEE, &record, &code).await.expect(200);
    let refused = mallory.send(&record, Method::GET, "/sessions", Value::Null).await;
    refused.expect_api_error(401, "verification_record.permission_denied");
    // Neither does one that was for something else.
    let body = json!({ "identifier": { "type": "email", "value": LEE }, "templateType": "BindMfa" });
    let sent = lee.actor.post("/api/verifications/verification-code", body).await.expect(201);
    let record = sent.text("verificationRecordId");
    let code = inbox.code(LEE, 3).await;
    lee.type_code("email", LEE, &record, &code).await.expect(200);
    let refused = lee.send(&record, Method::GET, "/sessions", Value::Null).await;
    refused.expect_api_error(401, "verification_record.permission_denied");
    // Nor one to an address that is the person's no more.
    let record = lee.ask("email", LEE).await.expect(201).text("verificationRecordId");
    let code = inbox.code(LEE, 4).await;
    lee.type_code("email", LEE, &record, &code).await.expect(200);
    let path = format!("/api/users/{}", lee.id);
    server.management().await.patch(&path, json!({ "primaryEmail": NEW })).await.expect(200);
    let refused = lee.send(&record, Method::GET, "/sessions", Value::Null).await;
    refused.expect_api_error(401, "verification_record.permission_denied");
});

both!(a_new_address_and_a_new_number_are_proved, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let casey = casey(&server, ALL).await;
    let proof = casey.prove().await;
    for (kind, given, stored) in [("email", NEW, NEW), ("phone", "+49 1511 2345678", PHONE)] {
        let record = casey.ask(kind, given).await.expect(201).text("verificationRecordId");
        assert_eq!(inbox.message(stored, 1).await["type"], "BindNewIdentifier");
        not_found(&casey.take(&proof, kind, given, &record).await);
        let record = casey.ask(kind, given).await.expect(201).text("verificationRecordId");
        let code = inbox.code(stored, 2).await;
        casey.type_code(kind, given, &record, &code).await.expect(200);
        let other = if kind == "email" { "other@example.com" } else { "4915199999999" };
        let refused = casey.take("nothing", kind, given, &record).await;
        refused.expect_api_error(401, "verification_record.permission_denied");
        casey.take(&proof, kind, given, &record).await.expect(204);
        // It is used by that.
        not_found(&casey.take(&proof, kind, given, &record).await);
        not_found(&casey.take(&proof, kind, other, &record).await);
    }
    let shown = casey.shown().await;
    assert_eq!((&shown["primaryEmail"], &shown["primaryPhone"]), (&json!(NEW), &json!(PHONE)));
});

both!(another_value_or_somebody_elses_address_is_refused, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let casey = casey(&server, ALL).await;
    let taken = json!({ "username": "lee", "primaryEmail": LEE });
    server.management().await.post("/api/users", taken).await.expect(200);
    let proof = casey.prove().await;
    let prove = async |address: &str, number: usize| {
        let record = casey.ask("email", address).await.expect(201).text("verificationRecordId");
        let code = inbox.code(address, number).await;
        casey.type_code("email", address, &record, &code).await.expect(200);
        record
    };
    let record = prove(LEE, 1).await;
    casey.take(&proof, "email", LEE, &record).await.expect_api_error(422, "user.email_already_in_use");
    let record = prove(NEW, 1).await;
    not_found(&casey.take(&proof, "email", "other@example.com", &record).await);
    // The proof of an address is none of a number.
    not_found(&casey.take(&proof, "phone", PHONE, &record).await);
    // It lives for ten minutes.
    let record = prove(NEW, 2).await;
    server.clock.advance(Duration::from_secs(601));
    let casey = with(&server, &casey.id, ALL).await;
    let proof = casey.prove().await;
    not_found(&casey.take(&proof, "email", NEW, &record).await);
    // Blocked, or not to be changed at all: no message is sent for nothing.
    let count = inbox.count();
    sign_in_settings(&server, json!({ "emailBlocklistPolicy": { "customBlocklist": ["@example.com"] } })).await;
    casey.ask("email", NEW).await.expect_api_error(422, "session.email_blocklist.email_not_allowed");
    settings(&server, json!({ "fields": { "email": "ReadOnly" } })).await;
    casey.ask("email", "new@example.org").await.expect_api_error(400, "account_center.field_not_editable");
    for (kind, value) in [("email", "no address"), ("phone", "0"), ("email", "a@b@c.d")] {
        casey.ask(kind, value).await.expect_api_error(400, "guard.invalid_input");
    }
    assert_eq!(inbox.count(), count);
});

both!(guesses_and_messages_are_limited, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    sign_in_settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 3 } })).await;
    let lee = lee(&server).await;
    let record = lee.ask("email", LEE).await.expect(201).text("verificationRecordId");
    let code = inbox.code(LEE, 1).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let (mismatch, blocked) = ("verification_code.code_mismatch", "session.verification_blocked_too_many_attempts");
    for refusal in [mismatch, mismatch, blocked] {
        lee.type_code("email", LEE, &record, wrong).await.expect_api_error(400, refusal);
    }
    let refused = lee.type_code("email", LEE, &record, &code).await;
    refused.expect_api_error(400, blocked);
    // They do not lock anybody out of sign-in.
    let sign_in = tokens::hash(&format!("email:{LEE}"));
    assert_eq!(attempts::find(&mut server.begin().await, &sign_in).await.unwrap().failures, 0);
    for _ in 0..9 {
        lee.ask("email", LEE).await.expect(201);
    }
    lee.ask("email", LEE).await.expect_api_error(429, "request.message_rate_limited");
});

both!(an_address_of_a_company_is_not_taken_by_a_code, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let casey = casey(&server, ALL).await;
    let address = "casey@acme.example";
    let record = casey.ask("email", address).await.expect(201).text("verificationRecordId");
    let code = inbox.code(address, 1).await;
    casey.type_code("email", address, &record, &code).await.expect(200);
    // From now on it is a company's.
    let upstream = Upstream::start(false).await;
    let company = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["acme.example"],
    });
    server.management().await.post("/api/sso-connectors", company).await.expect(200);
    sign_in_settings(&server, json!({ "singleSignOnEnabled": true })).await;
    let body = json!({ "email": address, "newIdentifierVerificationRecordId": record });
    let refused = casey.proved(Method::POST, "/primary-email", body).await;
    refused.expect_api_error(422, "session.sso_enabled");
    let count = inbox.count();
    casey.ask("email", address).await.expect_api_error(422, "session.sso_enabled");
    assert_eq!(inbox.count(), count);
});
