//! `POST /api/subject-tokens` (`docs/decisions/subject-tokens.md`).

use claimsmith_services::tokens;
use claimsmith_storage::audit;
use claimsmith_storage::issuing::subject_tokens;
use claimsmith_test_support::{Answer, Home, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;

const PATH: &str = "/api/subject-tokens";

both!(a_backend_asks_for_a_subject_token, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "userId": server.demo().customer_user_id, "context": { "ticketId": "T-1", "deep": [1, { "a": null }] } });
    let answer = management.post(PATH, body.clone()).await.expect(201);
    assert_eq!(answer.body.as_object().unwrap().len(), 2);
    assert_eq!(answer["expiresIn"], 600);
    let token = answer.text("subjectToken");
    assert!(token.starts_with("sub_") && token.len() >= 25, "{token}");
    assert!(token[4..].bytes().all(|byte| byte.is_ascii_alphanumeric()), "{token}");
    assert_ne!(management.post(PATH, body.clone()).await.expect(201).text("subjectToken"), token);

    // Only its hash is stored, and nothing of it is written down elsewhere.
    let mut tx = server.begin().await;
    let stored = subject_tokens::find_by_hash(&mut tx, &tokens::hash(&token)).await.unwrap().unwrap();
    assert_eq!((&stored.user_id, &*stored.context.value), (&server.demo().customer_user_id, &body["context"]));
    assert_eq!(stored.creator_id, *server.machine().client_id);
    assert_eq!(stored.expires_at, server.clock.now_ms() + 600_000);
    assert!(!format!("{stored:?}").contains(&token[4..]));
    let logs = audit::list_by_key(&mut tx, "Management.SubjectToken.Create", 10).await.unwrap();
    assert_eq!(logs.len(), 2);
    assert_eq!(logs[0].payload.0["userId"], *server.demo().customer_user_id);
    assert!(!format!("{logs:?}").contains(&token[4..]));
});

both!(the_lifetime_is_configured, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_SUBJECT_TOKEN_TTL", "10")]).await.unwrap();
    let body = json!({ "userId": server.demo().customer_user_id });
    let answer = server.management().await.post(PATH, body).await.expect(201);
    assert_eq!(answer["expiresIn"], 10);
    server.clock.advance(std::time::Duration::from_secs(10));
    server.exchange(&answer.text("subjectToken")).send().await.expect_oauth_error(400, "invalid_request");
});

both!(an_unknown_user_is_an_error, async |server: TestServer| {
    let management = server.management().await;
    for user in ["unknown", ""] {
        let answer = management.post(PATH, json!({ "userId": user })).await;
        answer.expect_api_error(404, "entity.relation_foreign_key_not_found");
    }
    let user = server.add_user().await;
    server.delete_user(&user).await;
    let answer = management.post(PATH, json!({ "userId": user })).await;
    answer.expect_api_error(404, "entity.relation_foreign_key_not_found");
});

both!(the_body_must_make_sense, async |server: TestServer| {
    let management = server.management().await;
    let user = &server.demo().customer_user_id;
    for (body, place) in [
        (json!({}), "userId"),
        (json!({ "userId": null }), "userId"),
        (json!({ "userId": 7 }), "userId"),
        (json!({ "userId": [user] }), "userId"),
        (json!({ "userId": user, "context": null }), "context"),
        (json!({ "userId": user, "context": [] }), "context"),
        (json!({ "userId": user, "context": "ticket" }), "context"),
        (json!({ "userId": user, "context": { "a": "x\u{0}y" } }), "NUL"),
        (json!({ "userId": user, "context": { "a\u{0}": 1 } }), "NUL"),
        (json!({ "userId": format!("{user}\u{0}") }), "NUL"),
        (json!([user]), ""),
        (json!("text"), ""),
    ] {
        let answer = management.post(PATH, body).await;
        answer.expect_api_error(400, "guard.invalid_input");
        assert!(answer.text("details").contains(place), "{:#}", answer.body);
    }
    let nothing = management.post(PATH, Value::Null).await;
    nothing.expect_api_error(400, "guard.invalid_input");
});

both!(a_body_that_is_not_json_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for body in [&b"{"[..], b"userId=7", b"{\"userId\": \"\xff\"}", b"\0", b"{} {}"] {
        let request = management.request(Method::POST, PATH).header("content-type", "application/json");
        Answer::of(request.body(body.to_vec())).await.expect_api_error(400, "request.invalid_json");
    }
    let large = json!({ "userId": "" }).to_string();
    let large = large.replace("\"\"", &format!("\"{}\"", "x".repeat((1 << 20) + 1 - large.len())));
    assert_eq!(large.len(), (1 << 20) + 1);
    let request = management.request(Method::POST, PATH).body(large);
    Answer::of(request).await.expect_api_error(413, "request.body_too_large");
});

both!(a_context_has_at_most_16_kib, async |server: TestServer| {
    let management = server.management().await;
    let body = |size: usize| {
        let overhead = json!({ "text": "" }).to_string().len();
        json!({ "userId": server.demo().customer_user_id, "context": { "text": "x".repeat(size - overhead) } })
    };
    management.post(PATH, body(16 * 1024)).await.expect(201);
    let answer = management.post(PATH, body(16 * 1024 + 1)).await;
    answer.expect_api_error(400, "guard.invalid_input");
    assert!(answer.text("details").contains("context"));
});

both!(unknown_keys_are_ignored, async |server: TestServer| {
    let body = json!({ "userId": server.demo().customer_user_id, "reason": "beside the context", "expiresIn": 9 });
    assert_eq!(server.management().await.post(PATH, body).await.expect(201)["expiresIn"], 600);
});
