//! Retries: a delivery that a receiver does not accept is sent again, for days, with the same bytes and the same
//! message id.

use crate::fixtures::{all_in, deliveries, details, hook, later, path, role, server};
use claimsmith_test_support::{Home, Receiver, Reply, both, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

both!(a_failed_delivery_is_attempted_again_with_the_same_bytes, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number < 2 { 500 } else { 200 })).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&management, "readers").await;
    receiver.wait(1).await;
    let waiting = deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    assert_eq!((&waiting[0]["state"], &waiting[0]["note"]), (&json!("pending"), &json!("the receiver answered 500")));
    let next = waiting[0]["nextAttemptAt"].as_i64().unwrap() - server.clock.now_ms();
    assert!((3_600..5_000).contains(&next), "the first retry comes after {next} ms");

    server.clock.advance(Duration::from_secs(5));
    receiver.wait(2).await;
    deliveries(&management, &hook, |listed| listed[0]["attempts"] == 2).await;
    server.clock.advance(Duration::from_secs(35));
    let told = receiver.wait(3).await;
    let delivered = deliveries(&management, &hook, all_in("delivered", 1)).await;
    assert!(
        told.iter().all(|one| one.body == told[0].body && one.header("webhook-id") == told[0].header("webhook-id"))
    );
    let times: Vec<i64> = told.iter().map(|one| one.header("webhook-timestamp").parse().unwrap()).collect();
    assert_eq!((times[1] - times[0], times[2] - times[1]), (5, 35));
    assert_ne!(told[0].header("webhook-signature"), told[1].header("webhook-signature"));

    let log = details(&management, &hook, &delivered[0]).await["log"].clone();
    let statuses: Vec<&Value> = log.as_array().unwrap().iter().map(|attempt| &attempt["status"]).collect();
    assert_eq!(statuses, [500, 500, 200]);
});

both!(attempts_end_after_about_three_days, async |home: Arc<Home>| {
    let server = server(&home).await;
    let mut management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::Status(503, None, "later".to_owned())).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&management, "readers").await;
    let begun = server.clock.now_ms();
    for attempts in 1..13 {
        let listed = deliveries(&management, &hook, |listed| listed[0]["attempts"] == attempts).await;
        let next = listed[0]["nextAttemptAt"].as_i64().unwrap() - server.clock.now_ms();
        management = later(&server, Duration::from_millis(next.unsigned_abs())).await;
    }
    let dead = deliveries(&management, &hook, all_in("dead", 1)).await;
    let hours = (server.clock.now_ms() - begun) / 3_600_000;
    assert!((60..84).contains(&hours), "{hours} hours");
    assert_eq!((&dead[0]["attempts"], &dead[0]["nextAttemptAt"]), (&json!(13), &Value::Null));
    assert_eq!(receiver.received().len(), 13);
    // It is listed, and the hook is as it was.
    let listed = management.get(&format!("{}/deliveries?state=dead", path(&hook))).await.expect(200);
    assert_eq!((listed.header("total-number"), &listed.body[0]["id"]), (Some("1"), &dead[0]["id"]));
    assert_eq!(management.get(&path(&hook)).await.expect(200)["enabled"], true);
});

both!(a_receiver_that_asks_for_time_gets_it, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| match number {
        0 => Reply::Status(429, Some(("retry-after", "90".to_owned())), String::new()),
        _ => Reply::from(200),
    })
    .await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&management, "first").await;
    let held = deliveries(&management, &hook, |listed| listed[0]["attempts"] == 1).await;
    assert_eq!(held[0]["nextAttemptAt"].as_i64().unwrap() - server.clock.now_ms(), 90_000);
    // Others wait with it: it is the receiver that wants to be left alone.
    role(&management, "second").await;
    server.clock.advance(Duration::from_secs(89));
    let waiting = deliveries(&management, &hook, |listed| listed.len() == 2).await;
    assert!(waiting.iter().all(|delivery| delivery["state"] == "pending"));
    assert_eq!(receiver.received().len(), 1);
    server.clock.advance(Duration::from_secs(2));
    receiver.wait(3).await;
    deliveries(&management, &hook, all_in("delivered", 2)).await;
});

both!(a_receiver_that_is_gone_is_left_alone, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|number, _| Reply::from(if number == 0 { 410 } else { 200 })).await;
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({})).await;
    role(&management, "first").await;
    let dead = deliveries(&management, &hook, all_in("dead", 1)).await;
    assert_eq!(dead[0]["note"], "the receiver answered 410");
    let shown = management.get(&path(&hook)).await.expect(200);
    assert_eq!((&shown["enabled"], &shown["disabledReason"]), (&json!(false), &json!("gone")));
    let logs = management.get("/api/logs?logKey=Webhook.Disable").await.expect(200).body;
    assert_eq!((&logs[0]["payload"]["hookId"], &logs[0]["payload"]["reason"]), (&hook["id"], &json!("gone")));
    role(&management, "second").await;
    assert_eq!(deliveries(&management, &hook, |_| true).await.len(), 1);

    let enabled = management.patch(&path(&hook), json!({ "enabled": true })).await.expect(200);
    assert_eq!((&enabled["enabled"], &enabled["disabledReason"]), (&json!(true), &Value::Null));
    role(&management, "third").await;
    receiver.wait(2).await;
});

both!(a_hook_that_fails_for_five_days_is_disabled_and_says_so, async |home: Arc<Home>| {
    let server = server(&home).await;
    let mut management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::from(500)).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    for day in 0..5 {
        role(&management, &format!("morning of {day}")).await;
        role(&management, &format!("evening of {day}")).await;
        // While the receiver is down, the next probe counts for what is due.
        server.clock.advance(Duration::from_secs(10));
        deliveries(&management, &hook, |listed| {
            listed.len() == 2 * (day + 1) && listed.iter().all(|delivery| delivery["attempts"] != 0)
        })
        .await;
        let shown = management.get(&path(&hook)).await.expect(200);
        assert_eq!((&shown["enabled"], shown["failingSince"].is_i64()), (&json!(true), true), "day {day}");
        management = later(&server, Duration::from_hours(24)).await;
    }
    let disabled = until("the end of the hook", async || {
        let shown = management.get(&path(&hook)).await.expect(200);
        (shown["enabled"] == false).then_some(shown.body)
    })
    .await;
    assert_eq!(disabled["disabledReason"], "failing");
    // What was not told waits for whoever enables the hook.
    let waiting = deliveries(&management, &hook, |_| true).await;
    assert!(waiting.iter().any(|delivery| delivery["state"] == "pending"));
});
