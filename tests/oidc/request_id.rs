//! The request id, and readiness.

use claimsmith_test_support::{Answer, TestServer, both};

const REQUEST_ID: &str = "x-request-id";

both!(a_sent_id_is_answered, async |server: TestServer| {
    for id in ["abc-123", "A.b_c:9", &"x".repeat(128)] {
        for path in ["/api/status", "/oidc/jwks", "/api/nothing", "/oidc/nothing", "/nothing"] {
            let answer = Answer::of(server.http.get(server.url(path)).header(REQUEST_ID, id)).await;
            assert_eq!(answer.header(REQUEST_ID), Some(id), "{path}");
            assert_eq!(answer.header("logto-core-request-id"), Some(id), "{path}");
        }
    }
});

both!(a_missing_or_malformed_id_is_made, async |server: TestServer| {
    let mut ids = vec![server.get("/api/status").await.header(REQUEST_ID).unwrap().to_owned()];
    for malformed in ["", "with space", "new%0aline", "<script>", &"x".repeat(129)] {
        let answer = Answer::of(server.http.get(server.url("/api/status")).header(REQUEST_ID, malformed)).await;
        let id = answer.header(REQUEST_ID).unwrap().to_owned();
        assert_ne!(id, malformed);
        ids.push(id);
    }
    assert!(ids.iter().all(|id| id.len() >= 16));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6, "each request has its own");
});

both!(a_refusal_carries_its_id_too, async |server: TestServer| {
    let request = server.form("/oidc/token").request().header(REQUEST_ID, "refused-1");
    let answer = Answer::of(request).await.expect(401);
    assert_eq!(answer.header(REQUEST_ID), Some("refused-1"));
});

both!(the_status_is_public_and_empty, async |server: TestServer| {
    let answer = server.get("/api/status").await.expect(204);
    assert!(answer.body.is_null());
});
