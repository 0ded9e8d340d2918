//! Misbehaving receivers: those that hang, close, send garbage, redirect, or are not reachable.

use crate::fixtures::{deliveries, details, hook, role};
use claimsmith_test_support::{Home, Receiver, Reply, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A server that answers every connection with these bytes and closes it.
async fn raw(answer: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 65_536];
            let _ = connection.read(&mut request).await;
            let _ = connection.write_all(answer).await;
        }
    });
    url
}

both!(whatever_a_receiver_does_the_delivery_waits_for_the_next_attempt, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", "3000")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let management = server.management().await;
    let hangs = Receiver::answering(|_, _| Reply::Hang).await;
    let redirects = Receiver::answering(|_, _| {
        Reply::Status(307, Some(("location", "http://127.0.0.1:9/elsewhere".to_owned())), String::new())
    })
    .await;
    let long = Receiver::answering(|_, _| Reply::Status(500, None, "x".repeat(1 << 20))).await;
    let rows = [
        (hangs.url(), Value::Null, "no answer within 3000 ms"),
        (raw(b"").await, Value::Null, "the exchange with 127.0.0.1 failed"),
        (raw(b"\x16\x03\x01 this is no HTTP\r\n\r\n").await, Value::Null, "the exchange with 127.0.0.1 failed"),
        (
            raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc").await,
            Value::Null,
            "the exchange with 127.0.0.1 failed",
        ),
        (redirects.url(), json!(307), "the receiver answered 307"),
        (long.url(), json!(500), "the receiver answered 500"),
        ("http://127.0.0.1:9/hook".to_owned(), Value::Null, "no connection to 127.0.0.1"),
        ("http://nobody.invalid/hook".to_owned(), Value::Null, "no connection to nobody.invalid"),
        ("https://127.0.0.1:9/hook".to_owned(), Value::Null, "no connection to 127.0.0.1"),
    ];
    let mut hooks = Vec::new();
    for (url, ..) in &rows {
        hooks.push(hook(&management, url, &["Role.Created"], json!({})).await);
    }
    role(&management, "readers").await;
    for (hook, (url, status, error)) in hooks.iter().zip(&rows) {
        let listed = deliveries(&management, hook, |listed| listed.len() == 1 && listed[0]["attempts"] == 1).await;
        assert_eq!(listed[0]["state"], "pending", "{url}");
        let attempt = details(&management, hook, &listed[0]).await["log"][0].clone();
        assert_eq!(&attempt["status"], status, "{url}");
        assert!(attempt["error"].as_str().unwrap().starts_with(error), "{url}: {attempt}");
        // Of a long answer the beginning is kept.
        assert!(attempt["responseBody"].as_str().is_none_or(|body| body.len() <= 4096));
    }
});

both!(a_long_answer_is_a_success_all_the_same, async |home: Arc<Home>| {
    let server = crate::fixtures::server(&home).await;
    let management = server.management().await;
    let receiver = Receiver::answering(|_, _| Reply::Status(200, None, "y".repeat(1 << 20))).await;
    let hook = hook(&management, &receiver.url(), &["Role.Created"], json!({})).await;
    role(&management, "readers").await;
    let listed = deliveries(&management, &hook, crate::fixtures::all_in("delivered", 1)).await;
    let attempt = details(&management, &hook, &listed[0]).await["log"][0].clone();
    assert_eq!(attempt["responseBody"].as_str().unwrap().len(), 4096);
});

both!(private_addresses_get_no_deliveries_unless_allowed, async |home: Arc<Home>| {
    let closed = ("CLAIMSMITH_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "false");
    let server = TestServer::start(&home, &[closed]).await.unwrap();
    let management = server.management().await;
    let receiver = Receiver::start().await;
    let local = receiver.url().replace("127.0.0.1", "localhost");
    for url in [receiver.url().as_str(), &local, "http://169.254.169.254/", "http://[::ffff:10.0.0.1]/"] {
        let hook = hook(&management, url, &["Role.Created"], json!({})).await;
        role(&management, url).await;
        let listed = deliveries(&management, &hook, |listed| listed.len() == 1 && listed[0]["attempts"] == 1).await;
        let note = listed[0]["note"].as_str().unwrap();
        assert!(note.contains("are not allowed") && note.contains("allow_private_targets"), "{url}: {note}");
        management.delete(&crate::fixtures::path(&hook)).await.expect(204);
    }
    assert!(receiver.received().is_empty());
});
