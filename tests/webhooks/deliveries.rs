//! Inspecting deliveries: recent attempts, statistics, and the list of all.

use crate::fixtures::{all_in, deliveries, hook, later, path, role, server};
use claimsmith_identity::retention;
use claimsmith_test_support::{Home, Receiver, Reply, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

both!(attempts_are_listed_as_entries_of_a_log, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| match number {
        0 => Reply::Status(500, None, r#"{"why":"not now"}"#.to_owned()),
        _ => Reply::Status(200, None, "thanks".to_owned()),
    })
    .await;
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({})).await;
    role(&management, "readers").await;
    deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    let begun = server.clock.now_ms();
    server.clock.advance(Duration::from_secs(5));
    deliveries(&management, &hook, all_in("delivered", 1)).await;

    let logs = format!("{}/recent-logs", path(&hook));
    let entries = management.get(&logs).await.expect(200);
    assert_eq!(entries.header("total-number"), Some("2"));
    let (newest, oldest) = (&entries.body[0], &entries.body[1]);
    assert_eq!((&newest["key"], &newest["payload"]["result"]), (&json!("TriggerHook.Role.Created"), &json!("Success")));
    assert_eq!(newest["payload"]["response"], json!({ "statusCode": 200, "body": "thanks" }));
    assert_eq!(newest["payload"]["hookRequest"]["body"], receiver.received()[1].json());
    assert_eq!((&oldest["payload"]["result"], &oldest["createdAt"]), (&json!("Error"), &json!(begun)));
    assert_eq!(oldest["payload"]["response"], json!({ "statusCode": 500, "body": { "why": "not now" } }));
    assert_eq!(oldest["payload"]["error"], "the receiver answered 500");
    assert_eq!(oldest["payload"]["hookId"], hook["id"]);
    let shown = management.get(&format!("/api/logs/{}", oldest["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(shown.body, *oldest);
    // The audit log itself does not list them.
    let audit = management.get("/api/logs?logKey=TriggerHook.Role.Created").await.expect(200);
    assert_eq!(audit.body, json!([]));

    for (query, count) in [
        ("logKey=TriggerHook.Role.Created".to_owned(), 2),
        ("logKey=TriggerHook.Role.Deleted".to_owned(), 0),
        ("logKey=Role.Created".to_owned(), 0),
        (format!("end_time={begun}"), 1),
        (format!("start_time={}", begun + 1), 1),
        ("page=2&page_size=1&enableCap=true".to_owned(), 1),
    ] {
        let found = management.get(&format!("{logs}?{query}")).await.expect(200);
        assert_eq!(found.body.as_array().unwrap().len(), count, "{query}");
    }
    let backwards = management.get(&format!("{logs}?start_time=2&end_time=1")).await;
    backwards.expect_api_error(400, "log.invalid_time_window");
    management.get("/api/hooks/nobody/recent-logs").await.expect_api_error(404, "entity.not_exists_with_id");

    // After a day they are no longer recent, but still there.
    let management = later(&server, Duration::from_hours(25)).await;
    assert_eq!(management.get(&logs).await.expect(200).body, json!([]));
    let all = management.get(&format!("{logs}?start_time=0")).await.expect(200);
    assert_eq!(all.header("total-number"), Some("2"));
});

both!(a_hook_says_how_it_fared_in_a_day, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number == 0 { 500 } else { 200 })).await;
    let hook_ = hook(&management, &receiver.url(), &["Role.*"], json!({})).await;
    hook(&management, &receiver.url(), &["User.*"], json!({})).await;
    role(&management, "first").await;
    deliveries(&management, &hook_, |listed| listed[0]["attempts"] == 1).await;
    role(&management, "second").await;
    server.clock.advance(Duration::from_secs(5));
    deliveries(&management, &hook_, all_in("delivered", 2)).await;

    let stats = |count: i64, requests: i64| json!({ "successCount": count, "requestCount": requests });
    let shown = management.get(&format!("{}?includeExecutionStats=true", path(&hook_))).await.expect(200);
    assert_eq!(shown["executionStats"], stats(2, 3));
    let listed = management.get("/api/hooks?includeExecutionStats=true").await.expect(200).body;
    let listed: Vec<&Value> = listed.as_array().unwrap().iter().map(|hook| &hook["executionStats"]).collect();
    assert!(listed.contains(&&stats(2, 3)) && listed.contains(&&stats(0, 0)));
    assert_eq!(management.get(&path(&hook_)).await.expect(200)["executionStats"], Value::Null);
    let management = later(&server, Duration::from_hours(25)).await;
    let shown = management.get(&format!("{}?includeExecutionStats=1", path(&hook_))).await.expect(200);
    assert_eq!(shown["executionStats"], stats(0, 0));
});

both!(deliveries_are_kept_for_thirty_days, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({})).await;
    role(&management, "first").await;
    deliveries(&management, &hook, all_in("delivered", 1)).await;
    let management = later(&server, Duration::from_hours(29 * 24)).await;
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(deliveries(&management, &hook, |_| true).await.len(), 1);
    let management = later(&server, Duration::from_hours(2 * 24)).await;
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(deliveries(&management, &hook, |_| true).await.len(), 0);
    // One that waits is never swept.
    management.patch(&path(&hook), json!({ "paused": true })).await.expect(200);
    role(&management, "second").await;
    let management = later(&server, Duration::from_hours(300 * 24)).await;
    retention::delete_expired(&server.app).await.unwrap();
    deliveries(&management, &hook, all_in("pending", 1)).await;
});

both!(deliveries_are_found_by_state_event_and_time, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let hook = hook(&management, "http://127.0.0.1:9", &["*"], json!({ "paused": true })).await;
    let begun = server.clock.now_ms();
    role(&management, "first").await;
    server.clock.advance(Duration::from_secs(10));
    management.post("/api/users", json!({ "username": "ada" })).await.expect(200);
    let list = format!("{}/deliveries", path(&hook));
    for (query, count) in [
        ("", 2),
        ("state=pending", 2),
        ("state=dead", 0),
        ("event=User.Created", 1),
        ("event=User.Deleted", 0),
        (&format!("end_time={begun}"), 1),
        (&format!("start_time={}", begun + 1), 1),
        ("page_size=1", 1),
        ("page=3&page_size=1", 0),
    ] {
        let found = management.get(&format!("{list}?{query}")).await.expect(200);
        assert_eq!(found.body.as_array().unwrap().len(), count, "{query}");
    }
    for query in ["state=lost", "event=User.*", "start_time=now", "start_time=2&end_time=1"] {
        assert_eq!(management.get(&format!("{list}?{query}")).await.status, 400, "{query}");
    }
    management.get(&format!("{list}/nothing")).await.expect_api_error(404, "entity.not_exists_with_id");
    management.get("/api/hooks/nobody/deliveries").await.expect_api_error(404, "entity.not_exists_with_id");
    // Gone with its hook.
    management.delete(&path(&hook)).await.expect(204);
    management.get(&list).await.expect_api_error(404, "entity.not_exists_with_id");
});
