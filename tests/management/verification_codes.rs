//! `/api/verification-codes`, `/api/one-time-tokens` and `/api/sentinel-activities/delete`.

use crate::fixtures::narrow;
use claimsmith_test_support::{Home, Mailed, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const CODES: &str = "/api/verification-codes";
const VERIFY: &str = "/api/verification-codes/verify";
const TOKENS: &str = "/api/one-time-tokens";
const ADA: &str = "ada@example.com";

both!(a_code_is_sent_and_verified_once, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let management = server.management().await;
    for body in [
        json!({}),
        json!({ "email": ADA, "phone": "4915112345678" }),
        json!({ "email": "ada" }),
        json!({ "phone": "0" }),
    ] {
        management.post(CODES, body).await.expect_api_error(400, "guard.invalid_input");
    }
    let sent = management.post(CODES, json!({ "email": ADA })).await.expect(204);
    assert_eq!(sent.body, Value::Null);
    assert_eq!(inbox.message(ADA, 1).await["type"], "Generic");
    let former = inbox.code(ADA, 1).await;
    management.post(CODES, json!({ "email": "Ada@Example.com" })).await.expect(204);
    let code = inbox.code("Ada@Example.com", 1).await;
    let verify = |email: &str, code: &str| json!({ "email": email, "verificationCode": code });
    if former != code {
        management.post(VERIFY, verify(ADA, &former)).await.expect_api_error(400, "verification_code.code_mismatch");
    }
    let other = management.post(VERIFY, verify("grace@example.com", &code)).await;
    other.expect_api_error(400, "verification_code.not_found");
    server.put_off("Ada@Example.com").await;
    management.post(VERIFY, verify(ADA, &code)).await.expect(204);
    assert_eq!(server.withdrawn("Ada@Example.com").await, 1);
    management.post(VERIFY, verify(ADA, &code)).await.expect_api_error(400, "verification_code.not_found");

    management.post(CODES, json!({ "phone": "+49 151 12345678" })).await.expect(204);
    let code = inbox.code("4915112345678", 1).await;
    server.clock.advance(Duration::from_secs(600));
    let late = json!({ "phone": "4915112345678", "verificationCode": code });
    management.post(VERIFY, late).await.expect_api_error(400, "verification_code.expired");
    let logs = management.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    assert!(logs.contains("Management.VerificationCode.Verify") && !logs.contains(&code), "{logs}");
});

both!(without_a_connector_nothing_is_said_of_the_recipient, async |home: Arc<Home>| {
    // A demo server has a mailbox of its own.
    let server = TestServer::start(&home, &[("CLAIMSMITH_DEMO", "false")]).await.unwrap();
    let management = server.management().await;
    for body in [json!({ "phone": "1233212321" }), json!({ "phone": "0" }), json!({ "email": "ada" })] {
        management.post(CODES, body).await.expect_api_error(501, "connector.not_found");
    }
    for body in [json!({}), json!({ "email": ADA, "phone": "0" })] {
        management.post(CODES, body).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(too_many_codes_are_refused, async |mailed: Mailed| {
    let Mailed { server, inbox: _inbox } = mailed;
    let management = server.management().await;
    for _ in 0..10 {
        management.post(CODES, json!({ "email": ADA })).await.expect(204);
    }
    management.post(CODES, json!({ "email": ADA })).await.expect_api_error(429, "request.message_rate_limited");
    management.post(CODES, json!({ "email": "grace@example.com" })).await.expect(204);
});

both!(another_code_allows_no_more_guesses, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let management = server.management().await;
    let verify = |email: &str, code: &str| json!({ "email": email, "verificationCode": code });
    // What is compared with nothing is no guess.
    for _ in 0..10 {
        let nothing = management.post(VERIFY, verify(ADA, "123456")).await;
        nothing.expect_api_error(400, "verification_code.not_found");
    }
    for number in 1..=2 {
        management.post(CODES, json!({ "email": ADA })).await.expect(204);
        let code = inbox.code(ADA, number).await;
        let wrong = if code == "000000" { "000001" } else { "000000" };
        for _ in 0..5 {
            let refused = management.post(VERIFY, verify("Ada@Example.com", wrong)).await;
            refused.expect_api_error(400, "verification_code.code_mismatch");
        }
    }
    management.post(CODES, json!({ "email": ADA })).await.expect(204);
    let code = inbox.code(ADA, 3).await;
    let blocked = management.post(VERIFY, verify(ADA, &code)).await;
    blocked.expect_api_error(400, "session.verification_blocked_too_many_attempts");
    assert_eq!(blocked["data"]["relativeTime"], "60 minutes");
    management.post(CODES, json!({ "email": "grace@example.com" })).await.expect(204);
    let other = inbox.code("grace@example.com", 1).await;
    management.post(VERIFY, verify("grace@example.com", &other)).await.expect(204);
    // Whoever administers users ends it, and a right one is forgiven everything before it.
    let unlock = json!({ "targetType": "User", "targets": ["ADA@example.com"] });
    management.post("/api/sentinel-activities/delete", unlock).await.expect(204);
    management.post(VERIFY, verify(ADA, &code)).await.expect(204);
});

both!(a_token_takes_into_organizations_by_their_scope_alone, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "email": ADA, "context": { "jitOrganizationIds": ["o1"] } });
    let users = narrow(&server, &management, &["users:write"]).await;
    users.post(TOKENS, body.clone()).await.expect_api_error(403, "auth.forbidden");
    users.post(TOKENS, json!({ "email": ADA, "context": { "jitOrganizationIds": [] } })).await.expect(201);
    users.post(TOKENS, json!({ "email": ADA })).await.expect(201);
    let both = narrow(&server, &management, &["users:write", "organizations:write"]).await;
    both.post(TOKENS, body.clone()).await.expect(201);
    management.post(TOKENS, body).await.expect(201);
});

both!(tokens_are_made_shown_and_settled, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "email": "Ada@Example.com", "context": { "interactionEvent": "SignIn" }, "expiresIn": 60 });
    let made = management.post(TOKENS, body).await.expect(201);
    let now = server.clock.now_ms();
    let (id, token) = (made.text("id"), made.text("token"));
    let mut shown = json!({
        "tenantId": "default", "id": id, "email": ADA, "context": { "interactionEvent": "SignIn" },
        "status": "active", "createdAt": now, "expiresAt": now + 60_000,
    });
    assert_eq!(management.get(&format!("{TOKENS}/{id}")).await.expect(200).body, shown);
    let listed = management.get(&format!("{TOKENS}?email=ADA%40example.com&status=active")).await.expect(200);
    assert_eq!((&listed.body, listed.header("total-number")), (&json!([shown]), Some("1")));
    for (query, count) in [("status=consumed", 0), ("email=grace%40example.com", 0), ("", 1)] {
        let listed = management.get(&format!("{TOKENS}?{query}")).await.expect(200).body;
        assert_eq!(listed.as_array().unwrap().len(), count, "{query}");
    }
    management.get(&format!("{TOKENS}?status=lost")).await.expect_api_error(400, "guard.invalid_input");

    let verify = format!("{TOKENS}/verify");
    let wrong = json!({ "email": "grace@example.com", "token": token });
    management.post(&verify, wrong).await.expect_api_error(400, "one_time_token.email_mismatch");
    let unknown = json!({ "email": ADA, "token": "unknown" });
    management.post(&verify, unknown).await.expect_api_error(404, "one_time_token.token_not_found");
    let right = json!({ "email": ADA, "token": token });
    shown["status"] = json!("consumed");
    assert_eq!(management.post(&verify, right.clone()).await.expect(200).body, shown);
    management.post(&verify, right).await.expect_api_error(400, "one_time_token.token_consumed");
    let status = format!("{TOKENS}/{id}/status");
    let active = management.put(&status, json!({ "status": "active" })).await;
    active.expect_api_error(400, "one_time_token.cannot_reactivate_token");
    management
        .put(&status, json!({ "status": "revoked" }))
        .await
        .expect_api_error(400, "one_time_token.token_consumed");
    management.delete(&format!("{TOKENS}/{id}")).await.expect(204);
    management.delete(&format!("{TOKENS}/{id}")).await.expect_api_error(404, "entity.not_found");
    management.get(&format!("{TOKENS}/{id}")).await.expect_api_error(404, "entity.not_exists_with_id");
    for body in [
        json!({ "email": "ada" }),
        json!({ "email": ADA, "expiresIn": 0 }),
        json!({ "email": ADA, "expiresIn": 604_801 }),
    ] {
        management.post(TOKENS, body).await.expect_api_error(400, "guard.invalid_input");
    }
    let logs = management.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    assert!(!logs.contains(&token), "{logs}");
});

both!(unlocking_takes_any_identifier, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/sentinel-activities/delete";
    let targets = json!(["ada", ADA, "+4915112345678", "nobody"]);
    management.post(path, json!({ "targetType": "User", "targets": targets })).await.expect(204);
    for body in
        [json!({ "targetType": "App", "targets": [] }), json!({ "targetType": "User" }), json!({ "targets": [] })]
    {
        management.post(path, body).await.expect_api_error(400, "guard.invalid_input");
    }
});
