//! Receivers that are down: one delivery at a time probes whether a receiver is back, and its failure counts for all that
//! are due. Retries come when they would come otherwise.

use crate::fixtures::{all_in, deliveries, details, hook, path, role, server};
use claimsmith_test_support::{Home, Receiver, Reply, both};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Deliveries that wait. The receiver is down after 25 failures; so many more may be under way by then.
const DELIVERIES: usize = 100;

/// Whether so many attempts of each were counted.
fn attempted(count: i64) -> impl Fn(&[Value]) -> bool {
    move |listed| listed.len() == DELIVERIES && listed.iter().all(|delivery| delivery["attempts"] == count)
}

both!(one_delivery_probes_a_receiver_that_is_down, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let receiver =
        Receiver::answering(move |_, _| Reply::from(if down.load(Ordering::SeqCst) { 503 } else { 200 })).await;
    let settings = json!({ "maxConcurrency": 10, "paused": true });
    let hook = hook(&management, &receiver.url(), &["Role.Created"], settings).await;
    for index in 0..DELIVERIES {
        role(&management, &format!("role {index}")).await;
    }
    management.patch(&path(&hook), json!({ "paused": false })).await.expect(200);

    // A failure counts for all that were due, whether or not they were sent.
    let failed = deliveries(&management, &hook, attempted(1)).await;
    assert!(failed.iter().all(|delivery| delivery["note"] == "the receiver answered 503"));
    for delivery in &failed {
        let next = delivery["nextAttemptAt"].as_i64().unwrap() - server.clock.now_ms();
        assert!((3_600..=4_400).contains(&next), "the first retry comes after {next} ms");
    }
    let at_first = receiver.count();
    assert!((25..=40).contains(&at_first), "{at_first} requests");

    // One asks, and finds it down still.
    server.clock.advance(Duration::from_secs(5));
    deliveries(&management, &hook, attempted(2)).await;
    assert_eq!(receiver.count(), at_first + 1);

    // One asks, and all others follow.
    is_down.store(false, Ordering::SeqCst);
    server.clock.advance(Duration::from_secs(40));
    let delivered = deliveries(&management, &hook, all_in("delivered", DELIVERIES)).await;
    assert!(delivered.iter().all(|delivery| delivery["attempts"] == 3));
    assert_eq!(receiver.count(), at_first + 1 + DELIVERIES);
    let told = receiver.received();
    let ids: BTreeSet<&str> = told.iter().skip(at_first + 1).map(|one| one.header("webhook-id")).collect();
    assert_eq!(ids.len(), DELIVERIES);
    // The log has the requests that were made.
    let newest = details(&management, &hook, &delivered[0]).await;
    assert_eq!(newest["log"].as_array().unwrap().len(), 1, "{newest}");
    let shown = management.get(&path(&hook)).await.expect(200);
    assert_eq!((&shown["enabled"], &shown["failingSince"]), (&json!(true), &Value::Null));
});

both!(a_delivery_is_given_up_after_an_attempt_of_its_own, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::from(500)).await;
    let settings = json!({
        "maxConcurrency": 10, "paused": true, "config": { "url": receiver.url(), "retries": 1 }
    });
    let hook = hook(&management, "", &["Role.Created"], settings).await;
    for index in 0..DELIVERIES {
        role(&management, &format!("role {index}")).await;
    }
    management.patch(&path(&hook), json!({ "paused": false })).await.expect(200);
    deliveries(&management, &hook, attempted(1)).await;
    let at_first = receiver.count();
    assert!((25..=40).contains(&at_first), "{at_first} requests");
    server.clock.advance(Duration::from_secs(5));
    let dead = deliveries(&management, &hook, all_in("dead", DELIVERIES)).await;
    assert!(attempted(2)(dead.as_slice()));
    assert_eq!(receiver.count(), at_first + DELIVERIES);
});

both!(a_receiver_that_answers_is_not_down, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::from(404)).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({ "paused": true })).await;
    for index in 0..DELIVERIES {
        role(&management, &format!("role {index}")).await;
    }
    management.patch(&path(&hook), json!({ "paused": false })).await.expect(200);
    deliveries(&management, &hook, attempted(1)).await;
    assert_eq!(receiver.count(), DELIVERIES);
});
