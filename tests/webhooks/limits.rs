//! Rate limit, concurrency and ordering of a hook.

use crate::fixtures::{all_in, deliveries, hook, path, rename, role, server};
use claimsmith_test_support::{Home, Receiver, Reply, both, until};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

both!(a_paused_hook_gets_its_deliveries_when_it_is_resumed, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (paused, other) = (Receiver::start().await, Receiver::start().await);
    let hook_ = hook(&management, &paused.url(), &["Role.*"], json!({ "paused": true })).await;
    hook(&management, &other.url(), &["Role.*"], json!({})).await;
    let id = role(&management, "readers").await;
    rename(&management, &id, "may read").await;
    other.wait(2).await;
    let waiting = deliveries(&management, &hook_, all_in("pending", 2)).await;
    assert!(waiting.iter().all(|delivery| delivery["attempts"] == 0));
    assert!(paused.received().is_empty());
    management.patch(&path(&hook_), json!({ "paused": false })).await.expect(200);
    paused.wait(2).await;
    deliveries(&management, &hook_, all_in("delivered", 2)).await;
});

both!(an_ordered_hook_hears_of_one_thing_after_the_other, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    // The first thing that is told of `a` fails once.
    let failing = Arc::new(AtomicBool::new(true));
    let fails = Arc::clone(&failing);
    let receiver = Receiver::answering(move |_, told| {
        let is_first_of_a = told.json()["data"]["description"] == "a 1";
        let fails = fails.load(Ordering::SeqCst);
        Reply::from(if is_first_of_a && fails { 500 } else { 200 })
    })
    .await;
    let (a, b) = (role(&management, "a").await, role(&management, "b").await);
    let hook = hook(&management, &receiver.url(), &["Role.*"], json!({ "ordered": true })).await;
    for change in 1..=3 {
        rename(&management, &a, &format!("a {change}")).await;
        rename(&management, &b, &format!("b {change}")).await;
    }
    let descriptions = || {
        let told = receiver.received();
        told.iter().map(|one| one.json()["data"]["description"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // What is about `b` does not wait for `a`.
    until("b", async || descriptions().contains(&"b 3".to_owned()).then_some(())).await;
    deliveries(&management, &hook, |listed| {
        listed.iter().filter(|delivery| delivery["state"] == "delivered").count() == 3
            && listed.iter().any(|delivery| delivery["attempts"] == 1 && delivery["state"] == "pending")
    })
    .await;
    let of = |name: &str| descriptions().into_iter().filter(|text| text.starts_with(name)).collect::<Vec<_>>();
    assert_eq!(
        (of("a"), of("b")),
        (vec!["a 1".to_owned()], vec!["b 1".to_owned(), "b 2".to_owned(), "b 3".to_owned()])
    );
    failing.store(false, Ordering::SeqCst);
    server.clock.advance(Duration::from_secs(5));
    deliveries(&management, &hook, all_in("delivered", 6)).await;
    assert_eq!(of("a"), ["a 1", "a 1", "a 2", "a 3"]);
});

both!(no_more_deliveries_are_under_way_than_a_hook_allows, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let (slow, quick) = (Receiver::answering(|_, _| Reply::Hang).await, Receiver::start().await);
    let limited = hook(&management, &slow.url(), &["Role.*"], json!({ "maxConcurrency": 2 })).await;
    hook(&management, &quick.url(), &["Role.*"], json!({})).await;
    for index in 0..20 {
        role(&management, &format!("role {index}")).await;
    }
    slow.wait(2).await;
    // A slow hook delays no other.
    quick.wait(20).await;
    assert_eq!(slow.received().len(), 2);
    let waiting = deliveries(&management, &limited, all_in("pending", 20)).await;
    let under_way = waiting.iter().filter(|delivery| delivery["nextAttemptAt"] == Value::Null).count();
    assert_eq!(under_way, 2);
});

both!(a_hook_gets_deliveries_within_its_rate_limit, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let limited = hook(&management, &receiver.url(), &["Role.*"], json!({ "rateLimit": 5 })).await;
    for index in 0..12 {
        role(&management, &format!("role {index}")).await;
    }
    let delivered = |count: usize| {
        move |listed: &[Value]| listed.iter().filter(|delivery| delivery["state"] == "delivered").count() == count
    };
    // The clock moves by the time of one delivery at a time.
    let first = receiver.received().len();
    assert!(first <= 1, "{first} at once");
    for count in first + 1..=12 {
        server.clock.advance(Duration::from_millis(200));
        receiver.wait(count).await;
        deliveries(&management, &limited, delivered(count)).await;
        assert_eq!(receiver.received().len(), count);
    }
});

both!(limits_have_limits, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let hook = hook(&management, "http://127.0.0.1:9", &["*"], json!({})).await;
    for body in [
        json!({ "maxConcurrency": 0 }),
        json!({ "maxConcurrency": 101 }),
        json!({ "maxConcurrency": null }),
        json!({ "maxConcurrency": 1.5 }),
        json!({ "rateLimit": 0 }),
        json!({ "rateLimit": 1001 }),
        json!({ "paused": null }),
        json!({ "ordered": "yes" }),
        json!({ "events": ["User"] }),
        json!({ "events": ["Us*"] }),
    ] {
        management.patch(&path(&hook), body).await.expect_api_error(400, "guard.invalid_input");
    }
    let settings = json!({ "maxConcurrency": 100, "rateLimit": 1000, "ordered": true, "events": ["User.*"] });
    let changed = management.patch(&path(&hook), settings.clone()).await.expect(200).body;
    for (name, value) in settings.as_object().unwrap() {
        assert_eq!(&changed[name], value);
    }
    let unlimited = management.patch(&path(&hook), json!({ "rateLimit": null })).await.expect(200);
    assert_eq!((&unlimited["rateLimit"], &unlimited["maxConcurrency"]), (&Value::Null, &json!(100)));
});

both!(a_delivery_is_retried_as_often_as_its_hook_says, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::from(500)).await;
    let mut hooks = Vec::new();
    for retries in [0, 2] {
        let config = json!({ "config": { "url": receiver.url(), "retries": retries } });
        hooks.push((hook(&management, &receiver.url(), &["Role.Created"], config).await, retries + 1));
    }
    role(&management, "readers").await;
    for (hook, attempts) in hooks {
        until("a delivery that is given up", async || {
            server.clock.advance(Duration::from_secs(60));
            let path = format!("{}/deliveries", path(&hook));
            let listed = server.management().await.get(&path).await.expect(200).body;
            (listed[0]["state"] == "dead").then_some(listed)
        })
        .await;
        let management = server.management().await;
        let given_up = deliveries(&management, &hook, all_in("dead", 1)).await;
        assert_eq!(given_up[0]["attempts"], attempts);
    }
});
