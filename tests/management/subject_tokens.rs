//! `/api/subject-tokens`: listing and revoking subject tokens that were not exchanged yet.

use crate::fixtures::{NOBODY, user};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::task::JoinSet;

both!(live_tokens_are_listed_without_their_value, async |server: TestServer| {
    let management = server.management().await;
    let (customer, engineer) = (&server.demo().customer_user_id, &server.demo().engineer_user_id);
    let used = server.customer_token().await;
    server.exchange(&used).send().await.expect(200);
    server.clock.advance(Duration::from_secs(100));
    let of_engineer = server.subject_token(engineer, json!({ "reason": "test" })).await;
    server.clock.advance(Duration::from_secs(100));
    let of_customer = server.subject_token(customer, json!({ "ticketId": "T-2" })).await;

    let live = management.get("/api/subject-tokens").await.expect(200);
    assert_eq!(live.header("total-number"), Some("2"));
    let newest = json!({
        "id": live.body[0]["id"], "userId": customer, "context": { "ticketId": "T-2" },
        "creatorId": server.machine().client_id, "createdAt": server.clock.now_ms(),
        "expiresAt": server.clock.now_ms() + 600_000, "consumedAt": null,
    });
    assert_eq!((&live.body[0], &live.body[1]["userId"]), (&newest, &json!(engineer)));
    let of_one = management.get(&format!("/api/subject-tokens?userId={customer}")).await.expect(200);
    assert_eq!(of_one.body, json!([newest]));
    let second = management.get("/api/subject-tokens?page=2&page_size=1").await.expect(200);
    assert_eq!(second.body, json!([live.body[1]]));
    let over = management.get("/api/subject-tokens?isActive=false").await.expect(200);
    assert_eq!((over.header("total-number"), &over.body[0]["userId"]), (Some("1"), &json!(customer)));
    assert_eq!(over.body[0]["consumedAt"], server.clock.now_ms() - 200_000);
    let all = format!("{} {} {}", live.body, of_one.body, over.body);
    for token in [&used, &of_engineer, &of_customer] {
        assert!(!all.contains(token.as_str()) && !all.contains(&claimsmith_services::tokens::hash(token)));
    }
    server.clock.advance(Duration::from_secs(600));
    assert_eq!(management.get("/api/subject-tokens").await.expect(200).body, json!([]));
    for query in ["isActive=1", "isActive=", "userId=%00", "userId=a&userId=b"] {
        management.get(&format!("/api/subject-tokens?{query}")).await.expect_api_error(400, "guard.invalid_input");
    }
    management.get("/api/subject-tokens?page_size=101").await.expect_api_error(400, "guard.invalid_pagination");
});

both!(a_revoked_token_is_to_an_exchange_like_an_unknown_one, async |server: TestServer| {
    let management = server.management().await;
    let used = server.customer_token().await;
    server.exchange(&used).send().await.expect(200);
    let token = server.customer_token().await;
    let id = management.get("/api/subject-tokens").await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/subject-tokens/{id}");
    management.delete(&path).await.expect(204);
    let refused = server.exchange(&token).send().await;
    refused.expect_oauth_error(400, "invalid_request");
    assert_eq!(refused.body, server.exchange("sub_unknown").send().await.body);

    let of_used = management.get("/api/subject-tokens?isActive=false").await.expect(200).body[0]["id"].clone();
    for id in [&id, NOBODY, of_used.as_str().unwrap(), "%00"] {
        let answer = management.delete(&format!("/api/subject-tokens/{id}")).await;
        answer.expect_api_error(404, "entity.not_found");
    }
    let logs = audit::list_by_key(&mut server.begin().await, "Management.SubjectToken.Revoke", 10).await.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["subjectTokenId"]), (1, &json!(id)));
    assert_eq!(logs[0].payload["userId"], json!(server.demo().customer_user_id));
});

both!(tokens_that_are_made_at_once_are_all_there_with_one_entry_each, async |server: TestServer| {
    let management = server.management().await;
    let mut calls = JoinSet::new();
    for index in 0..40 {
        // The others get theirs beside those that are refused.
        let user_id = if index % 5 == 0 { NOBODY.to_owned() } else { server.demo().customer_user_id.to_string() };
        let management = management.clone();
        calls.spawn(async move {
            let body = json!({ "userId": user_id, "context": { "ticketId": format!("T-{index}") } });
            management.post("/api/subject-tokens", body).await
        });
    }
    let (made, refused): (Vec<_>, Vec<_>) = calls.join_all().await.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (32, 8));
    for answer in refused {
        answer.expect_api_error(404, "entity.relation_foreign_key_not_found");
    }
    let logs = audit::list_by_key(&mut server.begin().await, "Management.SubjectToken.Create", 100).await.unwrap();
    let tickets: BTreeSet<_> = logs.iter().map(|log| log.payload["context"]["ticketId"].to_string()).collect();
    assert_eq!((logs.len(), tickets.len()), (32, 32));
    let mut exchanges = JoinSet::new();
    for answer in &made {
        let exchange = server.exchange(&answer.text("subjectToken"));
        exchanges.spawn(async move { exchange.send().await.status });
    }
    assert!(exchanges.join_all().await.into_iter().all(|status| status == 200));
});

both!(of_a_user_who_is_deleted_meanwhile_no_token_stays, async |server: TestServer| {
    let management = server.management().await;
    let user_id = user(&management, "ada").await;
    let mut calls = JoinSet::new();
    for _ in 0..16 {
        let (management, user_id) = (management.clone(), user_id.clone());
        calls.spawn(async move { management.post("/api/subject-tokens", json!({ "userId": user_id })).await.status });
    }
    management.delete(&format!("/api/users/{user_id}")).await.expect(204);
    for status in calls.join_all().await {
        assert!(matches!(status, 201 | 404), "{status}");
    }
    let left = management.get(&format!("/api/subject-tokens?userId={user_id}")).await.expect(200);
    assert_eq!(left.body, json!([]));
});
