//! Delivery guarantee under faults: servers that are killed and databases that go away. Every committed event is
//! delivered, under one message id, and nothing else.

use crate::BINARY;
use crate::fixtures::{all_in, deliveries, hook, role, server};
use claimsmith_domain::event::EventType;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::webhooks::{self, Event};
use claimsmith_test_support::{Answer, Home, Process, Receiver, Reply, both, on_postgres, until};
use reqwest::Method;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// A receiver that takes everything, one request for each leave.
async fn gated(leave: &Arc<Semaphore>) -> Receiver {
    let leave = Arc::clone(leave);
    Receiver::answering(move |_, _| Reply::When(Arc::clone(&leave), 200)).await
}

/// How often the server dies.
const DEATHS: usize = 10;

async fn start(home: &Home) -> Process {
    Process::start(BINARY, home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "50")]).await.unwrap()
}

both!(committed_events_are_delivered_however_often_the_server_is_killed, async |home: Arc<Home>| {
    let receiver = Receiver::start().await;
    let mut server = start(&home).await;
    let management = server.management().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({ "maxConcurrency": 100 })).await;
    let mut acknowledged: BTreeSet<String> = BTreeSet::new();
    for death in 0..DEATHS {
        let management = Arc::new(server.management().await);
        let mut writers = JoinSet::new();
        for writer in 0..4 {
            let management = Arc::clone(&management);
            writers.spawn(async move {
                let mut made = Vec::new();
                for index in 0..10 {
                    let name = format!("role {death} {writer} {index}");
                    let body = json!({ "name": name, "description": "for a test", "type": "User" });
                    match Answer::try_of(management.request(Method::POST, "/api/roles").json(&body)).await {
                        Ok(answer) if answer.status == 200 => made.push(answer.text("id")),
                        _ => break,
                    }
                }
                made
            });
        }
        // In the middle of it.
        receiver.wait(receiver.received().len() + 7).await;
        server.kill().await;
        for made in writers.join_all().await {
            acknowledged.extend(made);
        }
        server = start(&home).await;
    }
    let management = server.management().await;
    // Claims of the dead expire, and what they held is told by the living.
    deliveries(&management, &hook, |listed| listed.iter().all(|delivery| delivery["state"] == "delivered")).await;
    let pending = format!("{}/deliveries?state=pending", crate::fixtures::path(&hook));
    until("everything is told", async || {
        let waiting = management.get(&pending).await.expect(200);
        (waiting.header("total-number") == Some("0")).then_some(())
    })
    .await;

    let mut ids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut bodies: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for told in receiver.received() {
        let (id, role_id) =
            (told.header("webhook-id").to_owned(), told.json()["data"]["id"].as_str().unwrap().to_owned());
        let first = bodies.entry(id.clone()).or_insert_with(|| told.body.to_vec());
        assert_eq!(first.as_slice(), told.body, "the same bytes under one id");
        ids.entry(role_id).or_default().insert(id);
    }
    assert!(ids.values().all(|ids| ids.len() == 1), "an event has one id");
    let told: BTreeSet<String> = ids.into_keys().collect();
    let missing: Vec<&String> = acknowledged.difference(&told).collect();
    assert!(missing.is_empty(), "{} of {} are lost", missing.len(), acknowledged.len());
    // What is told did happen, acknowledged or not.
    for id in told.difference(&acknowledged) {
        management.get(&format!("/api/roles/{id}")).await.expect(200);
    }
    assert!(acknowledged.len() >= DEATHS, "{} events", acknowledged.len());
});

both!(rolled_back_events_are_not_delivered, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let hook = hook(&management, &receiver.url(), &["*"], json!({})).await;
    let event = Event::new(EventType::UserDeleted, 204_u16);
    let mut tx = server.begin().await;
    webhooks::emit(&mut tx, &event, &RequestOrigin::default(), server.clock.now_ms()).await.unwrap();
    drop(tx);
    role(&management, "readers").await;
    let listed = deliveries(&management, &hook, all_in("delivered", 1)).await;
    assert_eq!(listed[0]["event"], "Role.Created");
    assert_eq!(receiver.received().len(), 1);
});

on_postgres!(a_database_that_goes_away_loses_no_result, async |home: Arc<Home>| {
    let wire = home.proxy().await;
    let url = wire.url();
    let leave = Arc::new(Semaphore::new(3));
    let receiver = gated(&leave).await;
    let changes = [("CLAIMSMITH_DATABASE_URL", url.as_str()), ("CLAIMSMITH_WEBHOOKS_POLL_MS", "50")];
    let server = Process::start(BINARY, &home, &changes).await.unwrap();
    let management = server.management().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({ "maxConcurrency": 1 })).await;
    for index in 0..20 {
        role(&management, &format!("role {index}")).await;
    }
    // Three are taken, and the fourth while there is no database to write that into.
    receiver.wait(4).await;
    wire.cut().await;
    leave.add_permits(100);
    server.stderr.wait_for("results of deliveries cannot be written").await;
    assert_eq!(receiver.count(), 4);
    wire.mend();
    receiver.wait(20).await;
    deliveries(&management, &hook, all_in("delivered", 20)).await;
    role(&management, "after it").await;
    deliveries(&management, &hook, all_in("delivered", 21)).await;
    let ids: BTreeSet<String> = receiver.received().iter().map(|told| told.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), 21);
    assert!(!server.stderr.text().contains("panicked"), "{}", server.stderr.text());
});

/// The embedded database cannot go away, but another program can hold its lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_embedded_database_that_is_locked_loses_no_result() {
    let home = Home::new(claimsmith_test_support::Kind::Sqlite).await;
    let leave = Arc::new(Semaphore::new(0));
    let receiver = gated(&leave).await;
    let server = start(&home).await;
    let management = server.management().await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({ "maxConcurrency": 1 })).await;
    for index in 0..5 {
        role(&management, &format!("role {index}")).await;
    }
    receiver.wait(1).await;
    let mut lock = home.db().await.begin().await.unwrap();
    // The lock comes with the first statement.
    lock.sql("DELETE FROM roles WHERE id = 'none'").execute().await.unwrap();
    leave.add_permits(100);
    // The server's lock timeout is five seconds.
    server.stderr.wait_for("results of deliveries cannot be written").await;
    assert_eq!(receiver.count(), 1);
    drop(lock);
    let listed = deliveries(&management, &hook, all_in("delivered", 5)).await;
    let ids: BTreeSet<&str> = listed.iter().map(|delivery| delivery["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 5);
}
