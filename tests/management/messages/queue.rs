//! The queue: durable, retried while a code works, taken over from a server that died, withdrawn.

use super::{LIFETIME_MS, Queued, audited, config, connect, has_failed, queued, server, until_queued, write};
use claimsmith_domain::documents::message::MessageChannel;
use claimsmith_identity::retention;
use claimsmith_storage::{Lease, messages};
use claimsmith_test_support::{Home, MailRelay, RelayReply, Security, both, until};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

both!(a_message_waits_for_a_relay_that_is_down, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::None).await;
    let address = relay.address();
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    drop(relay);
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    for attempts in 1..4 {
        let failed = until_queued(&server, &id, has_failed(attempts)).await;
        assert!(failed.note.as_deref().unwrap_or_default().starts_with("no connection to 127.0.0.1"), "{failed:?}");
        server.clock.advance(Duration::from_millis((failed.due_at.unwrap() - server.clock.now_ms()).unsigned_abs()));
    }
    let failed = until_queued(&server, &id, has_failed(4)).await;
    assert!(audited(&server).await.is_empty());
    // A restart forgets nothing.
    server.stop().await;
    let relay = MailRelay::at(address, Security::None).await;
    let server = crate::messages::server(&home).await;
    let wait = failed.due_at.unwrap() - server.clock.now_ms();
    server.clock.advance(Duration::from_millis(u64::try_from(wait).unwrap_or_default()));
    assert!(relay.wait(1).await[0].data.contains("123456"));
    let sent = until_queued(&server, &id, |found| found.state == "delivered").await;
    assert_eq!(sent.attempts, 5);
    assert_eq!(audited(&server).await[0]["attempts"], 5);
});

both!(a_message_whose_code_has_ended_is_not_sent, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::answering(Security::None, |number, _| (number == 0).then_some(RelayReply::Close)).await;
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    until_queued(&server, &id, has_failed(1)).await;
    server.clock.advance(Duration::from_millis(LIFETIME_MS.unsigned_abs()));
    let dropped = until_queued(&server, &id, |found| found.state == "dropped").await;
    assert_eq!((dropped.note.as_deref(), dropped.contents), (Some("its code or link has ended"), None));
    let [entry] = audited(&server).await.try_into().unwrap();
    assert_eq!(entry["error"], json!({ "code": "message.dropped", "message": "its code or link has ended" }));
    assert_eq!((relay.mails(), relay.connections()), (vec![], 1));
});

both!(a_message_is_given_up_when_its_time_is_over, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::answering(Security::None, |_, _| Some(RelayReply::Close)).await;
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    let begun = server.clock.now_ms();
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    let mut attempts = 0;
    let dead = loop {
        attempts += 1;
        let found = until_queued(&server, &id, |found| found.state != "pending" || has_failed(attempts)(found)).await;
        let Some(due_at) = found.due_at else { break found };
        server.clock.advance(Duration::from_millis((due_at - server.clock.now_ms()).unsigned_abs()));
    };
    assert_eq!((dead.state.as_str(), dead.contents), ("dead", None));
    assert!(dead.attempts >= 6 && server.clock.now_ms() - begun < LIFETIME_MS, "{} attempts", dead.attempts);
    let [entry] = audited(&server).await.try_into().unwrap();
    assert_eq!((&entry["result"], &entry["error"]["code"]), (&json!("Error"), &json!("message.given_up")));
});

both!(the_messages_of_a_server_that_died_are_sent_by_another, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::None).await;
    // No connector yet: nothing is attempted while the other server takes its lease.
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    until_queued(&server, &id, has_failed(1)).await;
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    let now = server.clock.now_ms();
    let mut tx = server.begin().await;
    tx.sql("UPDATE messages SET due_at = $1").bind(now).execute().await.unwrap();
    let taken = messages::lease(&mut tx, MessageChannel::Email, Lease { name: "dead", now, until: now + 20_000 }, 9)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(taken.len(), 1);
    let other = write(&server, "Email", "grace@example.com", "654321").await;
    until_queued(&server, &other, |found| found.state == "delivered").await;
    assert_eq!(queued(&server, &id).await.claim.as_deref(), Some("dead"));
    server.clock.advance(Duration::from_secs(20));
    until_queued(&server, &id, |found| found.state == "delivered").await;
    assert_eq!(relay.mails().len(), 2);
});

both!(a_withdrawn_message_is_not_sent, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    let failed = until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(failed.note.as_deref(), Some("there is no connector for this channel any more"));
    let mut tx = server.begin().await;
    assert_eq!(messages::withdraw(&mut tx, &id, server.clock.now_ms()).await.unwrap(), 1);
    tx.commit().await.unwrap();
    let relay = MailRelay::start(Security::None).await;
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    server.clock.advance(Duration::from_secs(60));
    let other = write(&server, "Email", "grace@example.com", "654321").await;
    until_queued(&server, &other, |found| found.state == "delivered").await;
    assert_eq!(relay.mails().len(), 1);
    assert_eq!(relay.mails()[0].to, ["grace@example.com"]);
});

both!(one_relay_is_told_ten_messages_at_a_time, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::answering(Security::None, |_, line| (line == "DATA").then_some(RelayReply::Hang)).await;
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    for number in 0..15 {
        write(&server, "Email", &format!("ada{number}@example.com"), "123456").await;
    }
    until("ten connections", async || (relay.connections() >= 10).then_some(())).await;
    let sql = "SELECT state, due_at, claim, attempts, note, contents FROM messages WHERE claim IS NOT NULL";
    let claimed: Vec<Queued> = server.begin().await.sql(sql).all().await.unwrap();
    assert_eq!(claimed.len(), 10);
    assert_eq!(relay.connections(), 10);
});

both!(finished_messages_are_swept_and_others_stay, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::answering(Security::None, |_, line| {
        line.starts_with("RCPT TO:<no@").then(|| RelayReply::Say("550 no".to_owned()))
    })
    .await;
    connect(&management, "smtp", config(&relay, json!({ "ignoreTLS": true, "tls": null }))).await;
    let (sent, refused) =
        (write(&server, "Email", "ada@example.com", "1").await, write(&server, "Email", "no@example.com", "1").await);
    let waiting = write(&server, "Sms", "16502530000", "1").await;
    until_queued(&server, &sent, |found| found.state == "delivered").await;
    until_queued(&server, &refused, |found| found.state == "dead").await;
    until_queued(&server, &waiting, has_failed(1)).await;
    retention::delete_expired(&server.app).await.unwrap();
    let count = async || {
        let sql = "SELECT state, due_at, claim, attempts, note, contents FROM messages";
        server.begin().await.sql(sql).all::<Queued>().await.unwrap().len()
    };
    assert_eq!(count().await, 3);
    let mut tx = server.begin().await;
    let back = "UPDATE messages SET finished_at = finished_at - $1 WHERE finished_at IS NOT NULL";
    tx.sql(back).bind(31 * 86_400_000_i64).execute().await.unwrap();
    tx.commit().await.unwrap();
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(count().await, 1);
});
