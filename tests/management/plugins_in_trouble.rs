//! A plugin that refuses or fails what it is called for: seen in the list, on its page, in health and in the audit log,
//! by its version, until another version serves; and found by support with the request id of the application.

use crate::fixtures::narrow;
use claimsmith_identity::{heartbeat, retention};
use claimsmith_storage::audit;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// Throws at line 1, column 81.
const BOOM: &str = "export const getCustomJwtClaims = async ({ context }) => { return { a: context.no.such }; };";
const CALM: &str = "export const getCustomJwtClaims = async () => ({ calm: true });";
const DENIES: &str = "export const getCustomJwtClaims = async ({ api }) => api.denyAccess(\"Name the ticket.\");";

async fn upload(management: &Actor, name: &str, source: &str) -> Answer {
    let request = management.request(Method::PUT, &format!("/api/plugins/{name}"));
    Answer::of(request.header("content-type", "text/javascript").body(source.to_owned())).await.expect(201)
}

/// Asks for the customer's token this many times; the last answer.
async fn ask(server: &TestServer, times: usize, status: u16) -> Answer {
    let mut last = None;
    for _ in 0..times {
        last = Some(server.exchange(&server.customer_token().await).send().await.expect(status));
    }
    last.unwrap()
}

/// What health says of the plugin.
async fn health_of(management: &Actor, name: &str) -> Option<Value> {
    let health = management.get("/api/dashboard/health").await.expect(200);
    let failing = health["plugins"]["failing"].as_array().unwrap().clone();
    failing.into_iter().find(|plugin| plugin["name"] == name)
}

async fn last_hour(management: &Actor, name: &str) -> Value {
    let one = management.get(&format!("/api/plugins/{name}")).await.expect(200)["lastHour"].clone();
    let list = management.get("/api/plugins").await.expect(200).body;
    let listed = list.as_array().unwrap().iter().find(|plugin| plugin["name"] == name).unwrap();
    assert_eq!(listed["lastHour"], one);
    one
}

both!(a_plugin_that_throws_is_seen_with_its_error_until_it_is_rolled_back, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "boom", CALM).await;
    ask(&server, 6, 200).await;
    assert_eq!(last_hour(&management, "boom").await["calls"], 6);
    assert_eq!(health_of(&management, "boom").await, None);

    let bad = upload(&management, "boom", BOOM).await;
    let digest = bad["version"]["digest"].clone();
    ask(&server, 4, 500).await;
    assert_eq!(health_of(&management, "boom").await, None, "four calls say little");
    let refused = ask(&server, 3, 500).await;
    let request_id = refused.header("x-request-id").unwrap().to_owned();

    // The application learns the id of the request, and nothing of the inside.
    let description = format!("the authorization server failed; request id: {request_id}");
    assert_eq!((&refused["error"], &refused["error_description"]), (&json!("server_error"), &json!(description)));
    assert!(!refused.body.to_string().contains("boom"), "{}", refused.body);

    let hour = last_hour(&management, "boom").await;
    assert_eq!((&hour["calls"], &hour["failed"], &hour["denied"]), (&json!(7), &json!(7), &json!(0)), "{hour}");
    assert_eq!((&hour["isFailing"], &hour["lastRequestId"]), (&json!(true), &json!(request_id)));
    let error = hour["lastError"].as_str().unwrap();
    assert!(error.starts_with("TypeError: ") && error.contains(" boom.js:1:") && !error.contains('\n'), "{error}");
    let found = health_of(&management, "boom").await.unwrap();
    assert_eq!(found["calls"], format!("boom refused 7 of 7 tokens in the last hour: {error}"));
    assert_eq!((&found["state"], &found["previousVersion"]), (&json!("active"), &json!("1")));

    // The audit log names the plugin, its version, and the person.
    let logs = audit::list_by_key(&mut server.begin().await, "ExchangeTokenBy.TokenExchange", 50).await.unwrap();
    let entry = &logs.iter().find(|log| log.payload["requestId"] == *request_id).unwrap().payload.0;
    let facts = [&entry["plugin"], &entry["pluginVersion"], &entry["pluginOutcome"]];
    assert_eq!(facts, [&json!("boom"), &json!("2"), &json!("failed")], "{entry:#}");
    assert_eq!((&entry["pluginDigest"], &entry["pluginError"]), (&digest, &json!(error)));
    assert_eq!(entry["userId"], *server.demo().customer_user_id);

    // Written to the database, it counts once, on every node.
    heartbeat::beat(&server.app).await.unwrap();
    assert_eq!(last_hour(&management, "boom").await, hour);
    ask(&server, 1, 500).await;
    assert_eq!(last_hour(&management, "boom").await["calls"], 8);

    // The version before is not blamed for this one.
    management.post("/api/plugins/boom/versions/1/activate", Value::Null).await.expect(200);
    assert_eq!(health_of(&management, "boom").await, None);
    let hour = last_hour(&management, "boom").await;
    assert_eq!((&hour["calls"], &hour["isFailing"]), (&json!(6), &json!(false)), "{hour}");
    ask(&server, 1, 200).await;

    // Nor is a plugin that is disabled.
    management.post("/api/plugins/boom/versions/2/activate", Value::Null).await.expect(200);
    assert!(health_of(&management, "boom").await.is_some());
    management.patch("/api/plugins/boom", json!({ "enabled": false })).await.expect(200);
    assert_eq!(health_of(&management, "boom").await, None);
    management.patch("/api/plugins/boom", json!({ "enabled": true })).await.expect(200);

    // After an hour nothing is left of it, and after two the rows are gone.
    heartbeat::beat(&server.app).await.unwrap();
    server.clock.advance(Duration::from_mins(62));
    let management = server.management().await;
    assert_eq!(last_hour(&management, "boom").await["calls"], 0);
    assert_eq!(health_of(&management, "boom").await, None);
    server.clock.advance(Duration::from_hours(1));
    retention::delete_expired(&server.app).await.unwrap();
    let rows = claimsmith_storage::statistics::plugin_calls::since(&mut server.begin().await, 0).await.unwrap();
    assert_eq!(rows, []);
});

both!(what_one_node_counted_is_seen_at_every_node, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "boom", BOOM).await;
    ask(&server, 5, 500).await;
    let here = health_of(&management, "boom").await.unwrap();
    heartbeat::beat(&server.app).await.unwrap();
    let other = TestServer::start(&server.home, &[]).await.unwrap();
    let there = other.management().await;
    assert_eq!(health_of(&there, "boom").await.unwrap()["calls"], here["calls"]);
    ask(&other, 2, 500).await;
    assert_eq!(last_hour(&there, "boom").await["calls"], 7);
    heartbeat::beat(&other.app).await.unwrap();
    assert_eq!(last_hour(&management, "boom").await["calls"], 7);
});

both!(a_plugin_that_denies_everything_is_seen_with_what_it_says, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "denies", DENIES).await;
    let refused = ask(&server, 5, 400).await;
    // What a denial says is the plugin's own, without the id, which the header has.
    assert_eq!(refused["error_description"], "Name the ticket.");
    let hour = last_hour(&management, "denies").await;
    assert_eq!((&hour["denied"], &hour["failed"], &hour["isFailing"]), (&json!(5), &json!(0), &json!(true)));
    let found = health_of(&management, "denies").await.unwrap();
    assert_eq!(found["calls"], "denies refused 5 of 5 tokens in the last hour: Name the ticket.");
    let logs = audit::list_by_key(&mut server.begin().await, "ExchangeTokenBy.TokenExchange", 50).await.unwrap();
    assert!(logs.iter().all(|log| log.payload["plugin"] == "denies" && log.payload["pluginVersion"] == "1"));

    // With others that pass it is no trouble.
    upload(&management, "denies", CALM).await;
    ask(&server, 1, 200).await;
    assert_eq!(health_of(&management, "denies").await, None);
});

both!(a_plugin_that_may_be_skipped_is_seen_too, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "boom", BOOM).await;
    management.patch("/api/plugins/boom", json!({ "onError": "skip" })).await.expect(200);
    ask(&server, 5, 200).await;
    let found = health_of(&management, "boom").await.unwrap();
    let said = found["calls"].as_str().unwrap();
    assert!(said.starts_with("boom failed for 5 of 5 tokens in the last hour, which went on without it: "), "{said}");
});

both!(secrets_stay_out_of_what_is_said, async |server: TestServer| {
    let management = server.management().await;
    let source = "export const getCustomJwtClaims = async ({ environmentVariables }) => { throw new Error(`key \
                  ${environmentVariables.API_KEY}`); };";
    upload(&management, "leaks", source).await;
    let secret = json!({ "value": "violet-kettle-42" });
    management.put("/api/plugins/leaks/secrets/API_KEY", secret).await.expect(204);
    ask(&server, 5, 500).await;
    let reader = narrow(&server, &management, &["logs:read", "plugins:read"]).await;
    let health = reader.get("/api/dashboard/health").await.expect(200).body.to_string();
    let plugins = reader.get("/api/plugins").await.expect(200).body.to_string();
    let logs = reader.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    assert!(health.contains("key ***") && plugins.contains("key ***") && logs.contains("key ***"), "{health}");
    for text in [health, plugins, logs] {
        assert!(!text.contains("violet-kettle"), "{text}");
    }
});
