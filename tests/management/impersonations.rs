//! `/api/impersonations`: listing who acts for whom and why, and ending an impersonation.

use crate::fixtures::{NOBODY, texts};
use claimsmith_identity::retention;
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

/// Acts for the demo's customer as the engineer, through the web application; answers the token and its `jti`.
async fn act(server: &TestServer) -> (String, String) {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    let token = server.exchange(&server.customer_token().await).actor(&actor).as_web().access_token().await;
    let jti = server.verify(&token, &demo.resource).await.claims["jti"].as_str().unwrap().to_owned();
    (token, jti)
}

both!(impersonations_are_listed_with_reason_and_ticket, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    let (customer, engineer, web) = (&demo.customer_user_id, &demo.engineer_user_id, &demo.web_client_id);
    let (_, with_actor) = act(&server).await;
    let begun = server.clock.now_ms();
    server.clock.advance(Duration::from_secs(10));
    server.exchange(&server.subject_token(engineer, json!({})).await).send().await.expect(200);

    let shown = management.get(&format!("/api/impersonations/{with_actor}")).await.expect(200).body;
    let context = json!({ "ticketId": "TECH-1234", "reason": "a stuck order", "supportEngineerId": engineer });
    let expected = json!({
        "id": with_actor, "userId": customer, "actorId": engineer, "applicationId": web, "resource": demo.resource,
        "scope": "resource:read", "organizationId": null, "subjectTokenId": shown["subjectTokenId"], "context": context,
        "isActive": true, "createdAt": begun, "expiresAt": begun + 3_600_000, "endedAt": null,
    });
    assert_eq!(shown, expected);
    let all = management.get("/api/impersonations").await.expect(200);
    assert_eq!((all.header("total-number"), &all.body[1]), (Some("2"), &expected), "the actor's own token is none");
    assert_eq!((&all.body[0]["userId"], &all.body[0]["actorId"]), (&json!(engineer), &Value::Null));
    let other = all.body[0]["id"].as_str().unwrap();
    for (query, ids) in [
        ("isActive=true".to_owned(), &[other, with_actor.as_str()][..]),
        ("isActive=false".to_owned(), &[]),
        (format!("userId={customer}"), &[&with_actor]),
        (format!("actorId={engineer}&applicationId={web}"), &[&with_actor]),
        (format!("actorId={customer}"), &[]),
        (format!("applicationId={}", demo.spa_client_id), &[other]),
        (format!("start_time={}", begun + 1), &[other]),
        (format!("end_time={begun}"), &[&with_actor]),
        ("ticketId=TECH-1234".to_owned(), &[&with_actor]),
        ("ticketId=TECH-123".to_owned(), &[]),
        ("search=STUCK".to_owned(), &[&with_actor]),
        ("search=tech-12".to_owned(), &[&with_actor]),
        ("search=%25".to_owned(), &[]),
        ("search=".to_owned(), &[other, with_actor.as_str()]),
        ("page=2&page_size=1".to_owned(), &[&with_actor]),
    ] {
        let found = management.get(&format!("/api/impersonations?{query}")).await.expect(200);
        assert_eq!(texts(&found.body, "id"), ids, "{query}");
    }
    // A suspended user is nobody's to act for.
    let suspended = json!({ "isSuspended": true });
    management.patch(&format!("/api/users/{customer}/is-suspended"), suspended).await.expect(200);
    let live = management.get("/api/impersonations?isActive=true").await.expect(200);
    assert_eq!(texts(&live.body, "id"), [other]);
});

both!(an_impersonation_is_ended_early, async |server: TestServer| {
    let management = server.management().await;
    let (token, id) = act(&server).await;
    let (kept, _) = act(&server).await;
    assert_eq!(server.introspect_as_web(&token).await["active"], true);
    server.clock.advance(Duration::from_secs(60));
    let path = format!("/api/impersonations/{id}");
    for _ in 0..2 {
        management.delete(&path).await.expect(204);
        assert_eq!(server.introspect_as_web(&token).await, json!({ "active": false }));
        server.clock.advance(Duration::from_secs(60));
    }
    let ended = management.get(&path).await.expect(200);
    assert_eq!((&ended["isActive"], &ended["endedAt"]), (&json!(false), &json!(server.clock.now_ms() - 120_000)));
    assert_eq!(server.introspect_as_web(&kept).await["active"], true);

    let logs = audit::list_by_key(&mut server.begin().await, "Management.Impersonation.End", 10).await.unwrap();
    let demo = server.demo();
    assert_eq!((logs.len(), &logs[0].payload["jti"]), (1, &json!(id)), "it was ended once");
    assert_eq!(logs[0].payload["userId"], json!(demo.customer_user_id));
    assert_eq!(logs[0].payload["actorId"], json!(demo.engineer_user_id));
    assert_eq!(logs[0].payload["context"]["ticketId"], "TECH-1234");

    // Neither unknown tokens nor tokens that came from no exchange are impersonations.
    let own = server.verify(&server.management_token().await, &server.machine().resource).await.claims;
    for id in [NOBODY, own["jti"].as_str().unwrap(), "%00"] {
        let path = format!("/api/impersonations/{id}");
        management.delete(&path).await.expect_api_error(404, "entity.not_found");
        assert_eq!(management.get(&path).await.status, 404);
    }
    management.get("/api/users").await.expect(200);
});

both!(the_reason_outlives_the_subject_token, async |server: TestServer| {
    let (_, id) = act(&server).await;
    // The subject token expired after ten minutes, and an hour later it is gone.
    server.clock.advance(Duration::from_secs(4300));
    retention::delete_expired(&server.app).await.unwrap();
    let management = server.management().await;
    assert_eq!(management.get("/api/subject-tokens?isActive=false").await.expect(200).body, json!([]));
    let path = format!("/api/impersonations/{id}");
    let over = management.get(&path).await.expect(200);
    assert_eq!((&over["isActive"], &over["context"]["reason"]), (&json!(false), &json!("a stuck order")));
    management.delete(&path).await.expect(204);
    assert_eq!(management.get(&path).await.expect(200).body, over.body, "what is over is not ended");

    // It is listed for as long as the audit log is kept.
    server.clock.advance(Duration::from_hours(24 * 364));
    retention::delete_expired(&server.app).await.unwrap();
    let management = server.management().await;
    let past = management.get("/api/impersonations?isActive=false&ticketId=TECH-1234").await.expect(200);
    assert_eq!(texts(&past.body, "id"), [id.as_str()]);
    let query = format!("/api/logs?userId={}&logKey=ExchangeTokenBy.TokenExchange", server.demo().customer_user_id);
    let logged = management.get(&query).await.expect(200);
    assert_eq!(logged.body[0]["payload"]["context"]["reason"], "a stuck order", "the audit log remembers");
    server.clock.advance(Duration::from_hours(24 * 2));
    retention::delete_expired(&server.app).await.unwrap();
    let management = server.management().await;
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
});
