//! Several servers on one PostgreSQL: each event is delivered once, by any of them.

use crate::BINARY;
use crate::fixtures::{all_in, deliveries, hook, path, role};
use claimsmith_test_support::{Home, Process, Receiver, Reply, on_postgres, until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

async fn start(home: &Home, name: &str) -> Process {
    let folder = home.folder().join(name);
    let changes = [("CLAIMSMITH_DATA_DIR", folder.to_str().unwrap()), ("CLAIMSMITH_WEBHOOKS_POLL_MS", "50")];
    Process::start(BINARY, home, &changes).await.unwrap()
}

on_postgres!(three_servers_tell_each_event_once, async |home: Arc<Home>| {
    let receiver = Receiver::start().await;
    let starts = (start(&home, "one"), start(&home, "two"), start(&home, "three"));
    let (one, two, three) = tokio::join!(starts.0, starts.1, starts.2);
    let management = one.management().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    let actors = [one.management().await, two.management().await, three.management().await];
    let write = async |index: usize| {
        for number in 0..20 {
            role(&actors[index], &format!("role {index} {number}")).await;
        }
    };
    tokio::join!(write(0), write(1), write(2));
    deliveries(&management, &hook, all_in("delivered", 60)).await;
    let told = receiver.received();
    let ids: BTreeSet<&str> = told.iter().map(|one| one.header("webhook-id")).collect();
    assert_eq!((ids.len(), told.len()), (60, 60));
});

on_postgres!(two_servers_share_a_hooks_limit, async |home: Arc<Home>| {
    let receiver = Receiver::answering(|_, _| Reply::Hang).await;
    let (one, two) = tokio::join!(start(&home, "one"), start(&home, "two"));
    let (first, second) = (one.management().await, two.management().await);
    let hook_ = hook(&first, &receiver.url(), &["Role.Created"], json!({ "maxConcurrency": 3 })).await;
    let quick = Receiver::start().await;
    hook(&first, &quick.url(), &["Role.Created"], json!({})).await;
    for index in 0..10 {
        role(if index % 2 == 0 { &first } else { &second }, &format!("role {index}")).await;
    }
    quick.wait(10).await;
    receiver.wait(3).await;
    let waiting = deliveries(&first, &hook_, all_in("pending", 10)).await;
    let under_way = waiting.iter().filter(|delivery| delivery["nextAttemptAt"] == Value::Null).count();
    assert_eq!((under_way, receiver.received().len()), (3, 3));
});

on_postgres!(what_a_server_leaves_behind_another_one_tells, async |home: Arc<Home>| {
    let receiver = Receiver::answering(|number, _| if number == 0 { Reply::Hang } else { Reply::from(200) }).await;
    let (mut one, two) = tokio::join!(start(&home, "one"), start(&home, "two"));
    let management = two.management().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&one.management().await, "readers").await;
    let first = receiver.wait(1).await.remove(0);
    one.kill().await;
    // The lease of whoever died, or hangs, expires within seventeen seconds.
    let told = until("another server", async || {
        let told = receiver.received();
        (told.len() > 1).then_some(told)
    })
    .await;
    assert_eq!(told[1].header("webhook-id"), first.header("webhook-id"));
    deliveries(&management, &hook, all_in("delivered", 1)).await;
    assert_eq!(management.get(&path(&hook)).await.expect(200)["enabled"], true);
});
