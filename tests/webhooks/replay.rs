//! Replay: a failed or lost delivery is sent again under its old message id.

use crate::fixtures::{all_in, deliveries, details, hook, path, role, server};
use claimsmith_test_support::{Home, Receiver, Reply, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

both!(dead_letters_are_replayed_singly_by_filter_and_by_time, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let status = Arc::new(AtomicU16::new(410));
    let answer = Arc::clone(&status);
    let receiver = Receiver::answering(move |_, _| Reply::from(answer.load(Ordering::SeqCst))).await;
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({ "paused": true })).await;
    let mut times = Vec::new();
    for index in 0..4 {
        let id = role(&management, &format!("role {index}")).await;
        times.push(server.clock.now_ms());
        if index == 0 {
            management.delete(&format!("/api/roles/{id}")).await.expect(204);
        }
        server.clock.advance(Duration::from_mins(1));
    }
    // All five are leased together, and all are refused for good.
    management.patch(&path(&hook), json!({ "paused": false })).await.expect(200);
    let dead = deliveries(&management, &hook, all_in("dead", 5)).await;
    status.store(200, Ordering::SeqCst);
    let replay = format!("{}/deliveries/replay", path(&hook));

    let none = json!({ "events": ["User.Created"] });
    assert_eq!(management.post(&replay, none).await.expect(200).body, json!({ "replayed": 0, "more": false }));
    let none = json!({ "states": ["delivered", "dropped", "pending"] });
    assert_eq!(management.post(&replay, none).await.expect(200)["replayed"], 0);
    // Replayed, they wait for the hook, which is disabled.
    let window = json!({ "startTime": times[1], "endTime": times[2] });
    assert_eq!(management.post(&replay, window).await.expect(200)["replayed"], 2);
    let one = dead[0]["id"].as_str().unwrap();
    management.post(&format!("{}/deliveries/{one}/replay", path(&hook)), Value::Null).await.expect(204);
    management.patch(&path(&hook), json!({ "enabled": true })).await.expect(200);
    let listed = deliveries(&management, &hook, |listed| {
        listed.iter().filter(|delivery| delivery["state"] == "delivered").count() == 3
    })
    .await;
    let left: Vec<&Value> =
        listed.iter().filter(|delivery| delivery["state"] == "dead").map(|one| &one["event"]).collect();
    assert_eq!(left, ["Role.Deleted", "Role.Created"]);
    let deleted = json!({ "events": ["Role.Deleted"] });
    assert_eq!(management.post(&replay, deleted).await.expect(200)["replayed"], 1);
    assert_eq!(management.post(&replay, json!({})).await.expect(200)["replayed"], 1);
    deliveries(&management, &hook, all_in("delivered", 5)).await;

    // Each under its old id, once refused and once taken.
    let told = receiver.received();
    for delivery in &dead {
        let same: Vec<_> = told.iter().filter(|one| delivery["id"] == one.header("webhook-id")).collect();
        assert_eq!((same.len(), &same[0].body), (2, &same[1].body));
        let log = details(&management, &hook, delivery).await["log"].clone();
        let statuses: Vec<&Value> = log.as_array().unwrap().iter().map(|attempt| &attempt["status"]).collect();
        assert_eq!(statuses, [410, 200]);
    }
    let logs = management.get("/api/logs?logKey=Management.Hook.Replay").await.expect(200).body;
    assert_eq!(logs[0]["payload"]["hookId"], hook["id"]);
});

both!(delivered_events_can_be_replayed, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({})).await;
    for index in 0..3 {
        role(&management, &format!("role {index}")).await;
    }
    deliveries(&management, &hook, all_in("delivered", 3)).await;
    let replay = format!("{}/deliveries/replay", path(&hook));
    let all = json!({ "states": ["delivered"] });
    assert_eq!(management.post(&replay, all).await.expect(200).body, json!({ "replayed": 3, "more": false }));
    receiver.wait(6).await;
    deliveries(&management, &hook, all_in("delivered", 3)).await;
    for body in [
        json!({ "states": ["lost"] }),
        json!({ "states": null }),
        json!({ "events": ["Role.*"] }),
        json!({ "startTime": "now" }),
    ] {
        management.post(&replay, body).await.expect_api_error(400, "guard.invalid_input");
    }
    let window = json!({ "startTime": 2, "endTime": 1 });
    management.post(&replay, window).await.expect_api_error(400, "log.invalid_time_window");
    let nobodys = management.post("/api/hooks/nobody/deliveries/replay", json!({})).await;
    nobodys.expect_api_error(404, "entity.not_exists_with_id");
    let nothing = management.post(&format!("{}/deliveries/nothing/replay", path(&hook)), Value::Null).await;
    nothing.expect_api_error(404, "entity.not_exists_with_id");
});

both!(what_is_being_attempted_is_not_replayed, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::Hang).await;
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({})).await;
    role(&management, "readers").await;
    receiver.wait(1).await;
    let listed = deliveries(&management, &hook, |_| true).await;
    let one = format!("{}/deliveries/{}/replay", path(&hook), listed[0]["id"].as_str().unwrap());
    management.post(&one, Value::Null).await.expect_api_error(409, "hook.delivery_in_progress");
    let all = json!({ "states": [] });
    let replayed = management.post(&format!("{}/deliveries/replay", path(&hook)), all).await.expect(200);
    assert_eq!(replayed["replayed"], 0);
});
