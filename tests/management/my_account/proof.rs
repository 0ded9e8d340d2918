//! `/api/verifications/password`: the proof, how long it holds, whose it is, and guessing.

use super::{ALL, Casey, PASSWORD, casey, with};
use claimsmith_identity::retention;
use claimsmith_services::tokens;
use claimsmith_storage::audit;
use claimsmith_storage::sessions::attempts;
use claimsmith_test_support::{Answer, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// Something that needs a proof.
async fn use_it(casey: &Casey, record: &str) -> Answer {
    casey.send(record, Method::GET, "/sessions", Value::Null).await
}

fn refused(answer: &Answer) {
    answer.expect_api_error(401, "verification_record.permission_denied");
}

both!(a_proof_holds_for_ten_minutes, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let answer = casey.actor.post("/api/verifications/password", json!({ "password": PASSWORD })).await.expect(201);
    let expires_at = claimsmith_domain::clock::iso8601(server.clock.now_ms() + 600_000);
    assert_eq!((answer.text("expiresAt"), answer.header("cache-control")), (expires_at, Some("no-store")));
    let record = answer.text("verificationRecordId");
    use_it(&casey, &record).await.expect(200);
    server.clock.advance(Duration::from_secs(599));
    use_it(&casey, &record).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    refused(&use_it(&casey, &record).await);
    server.clock.advance(Duration::from_secs(3700));
    assert!(retention::delete_expired(&server.app).await.unwrap() > 0);
});

both!(nothing_else_is_a_proof, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let management = server.management().await;
    let engineer = server.demo().engineer_user_id.clone();
    management.patch(&format!("/api/users/{engineer}/password"), json!({ "password": PASSWORD })).await.expect(200);
    let erin = with(&server, &engineer, ALL).await;
    let of_another = erin.prove().await;
    refused(&casey.actor.get("/api/my-account/sessions").await);
    for record in [of_another.as_str(), "nothing", "a".repeat(4000).as_str()] {
        refused(&use_it(&casey, record).await);
    }
    // A new password voids what the old one proved.
    let record = casey.prove().await;
    let path = format!("/api/users/{}/password", casey.id);
    management.patch(&path, json!({ "password": "another-kettle-42" })).await.expect(200);
    let casey = with(&server, &casey.id, ALL).await;
    refused(&use_it(&casey, &record).await);
});

both!(guesses_are_counted_for_the_account, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let guess = json!({ "password": "wrong" });
    for _ in 0..9 {
        let answer = casey.actor.post("/api/verifications/password", guess.clone()).await;
        answer.expect_api_error(422, "session.invalid_credentials");
    }
    // The failure that locks it says so.
    let answer = casey.actor.post("/api/verifications/password", guess.clone()).await;
    answer.expect_api_error(400, "session.verification_blocked_too_many_attempts");
    assert_eq!(answer["data"]["relativeTime"], "60 minutes");
    assert_eq!(server.clock.deadlines().len(), 10, "each was answered at its deadline");
    for password in ["wrong", PASSWORD] {
        let answer = casey.actor.post("/api/verifications/password", json!({ "password": password })).await;
        answer.expect_api_error(400, "session.verification_blocked_too_many_attempts");
    }
    // They do not lock the person out of sign-in.
    let sign_in = tokens::hash("username:customer");
    assert_eq!(attempts::find(&mut server.begin().await, &sign_in).await.unwrap().failures, 0);
    server.clock.advance(Duration::from_secs(3601));
    let casey = with(&server, &casey.id, ALL).await;
    casey.prove().await;
    // The refusals are in the audit log, without what was typed.
    let key = "Account.Verification.Password.Submit";
    let is_refusal = |log: &audit::StoredAuditEntry| log.payload["error"]["code"] == "session.invalid_credentials";
    let entries = until("the refusals are logged", async || {
        let entries = audit::list_by_key(&mut server.begin().await, key, 30).await.unwrap();
        Some(entries).filter(|entries| entries.iter().any(is_refusal))
    })
    .await;
    let refused = entries.iter().find(|log| is_refusal(log)).unwrap();
    assert_eq!(refused.payload["userId"], json!(casey.id));
    assert!(entries.iter().all(|log| !log.payload.to_string().contains(PASSWORD)));
});

both!(what_is_not_there_is_refused_as_documented, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let unknown = json!({ "verificationRecordId": "x", "connectorData": {}, "payload": {} });
    let code =
        json!({ "identifier": { "type": "email", "value": "a@example.com" }, "verificationId": "x", "code": "1" });
    let redirect_uri = format!("{}/callback/nothing", server.report.base_url);
    let state = json!({ "connectorId": "nothing", "state": "s", "redirectUri": redirect_uri });
    for (path, body, status, error) in [
        ("verification-code/verify", code, 400, "verification_record.not_found"),
        ("social", state, 404, "entity.not_found"),
        ("social/verify", unknown.clone(), 400, "verification_record.not_found"),
        ("web-authn/registration", json!({}), 400, "session.mfa.mfa_factor_not_enabled"),
        ("web-authn/registration/verify", unknown, 400, "verification_record.not_found"),
    ] {
        let answer = casey.actor.post(&format!("/api/verifications/{path}"), body).await;
        answer.expect_api_error(status, error);
    }
    for (path, more) in [
        ("/primary-email", json!({ "email": "a@example.com" })),
        ("/primary-phone", json!({ "phone": "4915112345678" })),
        ("/identities", json!({})),
    ] {
        let mut body = more;
        body["newIdentifierVerificationRecordId"] = json!("x");
        refused(&casey.send("nothing", Method::POST, path, body.clone()).await);
        let answer = casey.proved(Method::POST, path, body).await;
        answer.expect_api_error(400, "verification_record.not_found");
        casey.proved(Method::POST, path, json!({})).await.expect_api_error(400, "guard.invalid_input");
    }
});
