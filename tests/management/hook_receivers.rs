//! `/api/hook-receivers`: receivers of the server's own, which hooks reach though they reach no other private address.

use crate::fixtures::{NOBODY, narrow, user};
use claimsmith_identity::retention;
use claimsmith_test_support::{Actor, Answer, Home, TestServer, both, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const PATH: &str = "/api/hook-receivers";

/// Makes a hook that sends new users there.
async fn hook(management: &Actor, url: &str) -> String {
    let body = json!({ "name": "trial", "events": ["User.Created"], "config": { "url": url } });
    management.post("/api/hooks", body).await.expect(201).text("id")
}

/// What came to a receiver, once so much came.
async fn received(management: &Actor, id: &str, count: usize) -> Vec<Value> {
    until("requests that come to a receiver", async || {
        let found = management.get(&format!("{PATH}/{id}/requests")).await.expect(200).body;
        let found = found.as_array().unwrap().clone();
        (found.len() >= count).then_some(found)
    })
    .await
}

/// A server whose hooks reach no private address.
async fn guarded(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "false")]).await.unwrap()
}

both!(a_hook_reaches_a_receiver_and_nothing_else_of_this_machine, async |home: Arc<Home>| {
    let server = guarded(&home).await;
    let management = server.management().await;
    let made = management.post(PATH, json!({})).await.expect(201);
    let (id, url) = (made.text("id"), made.text("url"));
    let base = server.app.config.server.base_url.as_str();
    assert!(url.starts_with(&format!("{base}/hook-receivers/")) && url.len() == base.len() + 16 + 43, "{url}");
    assert_eq!(made["expiresAt"].as_i64().unwrap() - made["createdAt"].as_i64().unwrap(), 86_400_000);
    assert_eq!(management.get(PATH).await.expect(200).body, json!([made.body]));
    let hook_id = hook(&management, &url).await;
    user(&management, "ada").await;

    let found = received(&management, &id, 1).await;

    let one = &found[0];
    assert_eq!((&one["hookId"], &one["isSignatureValid"]), (&json!(hook_id), &json!(true)), "{one:#}");
    assert_eq!(one["status"], 200);
    let body: Value = serde_json::from_str(one["body"].as_str().unwrap()).unwrap();
    assert_eq!((&body["event"], &body["data"]["username"]), (&json!("User.Created"), &json!("ada")));
    let headers = one["headers"].as_array().unwrap();
    assert!(headers.iter().any(|header| header[0] == "webhook-signature"), "{one:#}");
    let deliveries = management.get(&format!("/api/hooks/{hook_id}/deliveries?page_size=1")).await.expect(200);
    assert_eq!(deliveries.header("total-number"), Some("1"));

    // Every other path of the same address stays refused, however much it looks like one.
    let token = url.rsplit('/').next().unwrap();
    for other in [
        format!("{base}/api/status"),
        format!("{base}/hook-receivers/"),
        format!("{url}/x"),
        format!("{url}?x=1"),
        format!("{base}/hook-receivers/../api/{token}"),
        format!("{base}/x/hook-receivers/{token}"),
        url.replace("http://", "http://user@"),
        url.replace("localhost", "127.0.0.1"),
        url.replace("http://localhost:", "http://localhost:1"),
    ] {
        let config = json!({ "events": ["User.Created"], "config": { "url": other } });
        let refused = management.post(&format!("/api/hooks/{hook_id}/test"), config).await;
        refused.expect_api_error(422, "hook.send_test_payload_failed");
    }
    assert_eq!(received(&management, &id, 1).await.len(), 1);
    let config = json!({ "events": ["User.Created"], "config": { "url": url } });
    management.post(&format!("/api/hooks/{hook_id}/test"), config).await.expect(204);
    assert_eq!(received(&management, &id, 2).await[0]["isSignatureValid"], true);
    server.stop().await;
});

both!(a_receiver_answers_as_it_is_told, async |server: TestServer| {
    let management = server.management().await;
    let made = management.post(PATH, json!({ "status": 503 })).await.expect(201);
    let (id, url) = (made.text("id"), made.text("url"));
    let hook_id = hook(&management, &url).await;
    user(&management, "ada").await;
    received(&management, &id, 1).await;
    let failing = until("a delivery that failed", async || {
        let found = management.get(&format!("/api/hooks/{hook_id}/deliveries")).await.expect(200).body;
        (found[0]["attempts"] == 1).then_some(found)
    });
    assert_eq!(failing.await[0]["state"], "pending");
    let changed = management.patch(&format!("{PATH}/{id}"), json!({ "status": 204 })).await.expect(200);
    assert_eq!((changed.text("id"), &changed["status"]), (id.clone(), &json!(204)));
    let path = url.strip_prefix(server.app.config.server.base_url.as_str()).unwrap();
    server.clock.advance(Duration::from_secs(1));
    let stranger = server.anonymous().post(path, json!({ "hello": "world" })).await;
    assert_eq!((stranger.status, &stranger.body), (204, &Value::Null));
    let found = received(&management, &id, 2).await;
    assert_eq!((&found[0]["hookId"], &found[0]["isSignatureValid"]), (&json!(hook_id), &json!(false)));
    assert_eq!(found[0]["body"], "{\"hello\":\"world\"}");
    management.delete(&format!("/api/hooks/{hook_id}")).await.expect(204);

    // Small bodies, no other method, and only so many a second.
    let large = server.anonymous().request(Method::POST, path).body(vec![b'a'; (64 << 10) + 1]);
    assert_eq!(Answer::of(large).await.status, 413);
    assert_eq!(server.get(path).await.status, 405);
    let mut answers = Vec::new();
    for _ in 0..25 {
        answers.push(server.anonymous().post(path, json!({})).await.status);
    }
    assert!(answers.contains(&429), "{answers:?}");
    for number in 0..55 {
        server.clock.advance(Duration::from_secs(1));
        server.anonymous().post(path, json!({ "number": number })).await.expect(204);
    }
    let found = management.get(&format!("{PATH}/{id}/requests")).await.expect(200).body;
    let found = found.as_array().unwrap();
    assert_eq!((found.len(), &found[0]["body"]), (50, &json!("{\"number\":54}")));

    server.clock.advance(Duration::from_hours(24));
    let management = server.management().await;
    server.anonymous().post(path, json!({})).await.expect(404);
    assert_eq!(management.get(PATH).await.expect(200).body, json!([]));
    management.get(&format!("{PATH}/{id}/requests")).await.expect_api_error(404, "entity.not_exists_with_id");
    retention::delete_expired(&server.app).await.unwrap();
    management.delete(&format!("{PATH}/{id}")).await.expect_api_error(404, "entity.not_exists_with_id");
});

both!(receivers_are_few_and_their_answers_are_such_as_there_are, async |server: TestServer| {
    let management = server.management().await;
    for status in [json!(199), json!(410), json!(600), json!("200"), json!(null)] {
        management.post(PATH, json!({ "status": status })).await.expect_api_error(400, "guard.invalid_input");
    }
    let mut last = String::new();
    for _ in 0..10 {
        last = management.post(PATH, json!({})).await.expect(201).text("id");
    }
    management.post(PATH, json!({})).await.expect_api_error(422, "hook_receiver.too_many");
    management.delete(&format!("{PATH}/{last}")).await.expect(204);
    management.post(PATH, json!({})).await.expect(201);
    management
        .patch(&format!("{PATH}/{last}"), json!({ "status": 200 }))
        .await
        .expect_api_error(404, "entity.not_exists_with_id");
    management.get(&format!("{PATH}/%00/requests")).await.expect_api_error(404, "entity.not_found");
    for path in [NOBODY, last.as_str()] {
        management.get(&format!("{PATH}/{path}/requests")).await.expect_api_error(404, "entity.not_exists_with_id");
    }
    server.anonymous().post("/hook-receivers/nothing", json!({})).await.expect(404);
    let reader = narrow(&server, &management, &["hooks:read"]).await;
    reader.get(PATH).await.expect(200);
    reader.post(PATH, json!({})).await.expect_api_error(403, "auth.forbidden");
});
