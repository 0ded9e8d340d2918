//! Graceful shutdown: requests in progress finish, no new ones begin, and there is a time limit.

use crate::BINARY;
use claimsmith_test_support::{Home, Kind, Process};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A token request whose head has been read by the server, and whose body has not been sent.
struct HalfSent {
    stream: TcpStream,
    body: String,
}

impl HalfSent {
    async fn begin(server: &Process) -> Self {
        let machine = server.machine();
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.append_pair("grant_type", "client_credentials").append_pair("resource", &machine.resource);
        body.append_pair("client_id", &machine.client_id).append_pair("client_secret", &machine.client_secret);
        let body = body.finish();
        let address = server.origin.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /oidc/token HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // The server says so when it begins to read the body: from here on the request is under way.
        let mut go_on = [0; 25];
        stream.read_exact(&mut go_on).await.unwrap();
        assert_eq!(&go_on[..], b"HTTP/1.1 100 Continue\r\n\r\n");
        Self { stream, body }
    }

    async fn finish(mut self) -> String {
        self.stream.write_all(self.body.as_bytes()).await.unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

/// Waits until nobody listens there any more.
async fn until_closed(server: &Process) {
    let address = server.origin.strip_prefix("http://").unwrap();
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_under_way_is_finished() {
    let home: Arc<Home> = Home::new(Kind::Sqlite).await;
    let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
    let request = HalfSent::begin(&server).await;
    server.signal().await;
    tokio::time::timeout(Duration::from_mins(1), until_closed(&server)).await.unwrap();
    let answer = request.finish().await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("access_token"), "{answer}");
    assert!(server.end().await.success(), "{}", server.stderr.text());
    assert!(!server.stderr.text().contains("stopped before"), "{}", server.stderr.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_grace_ends() {
    let home = Home::new(Kind::Sqlite).await;
    let mut server = Process::start(BINARY, &home, &[("CLAIMSMITH_SHUTDOWN_GRACE", "0")]).await.unwrap();
    let _never_finished = HalfSent::begin(&server).await;
    assert!(server.terminate().await.success(), "{}", server.stderr.text());
    assert!(
        server.stderr.text().contains("the shutdown grace period ended before all tasks finished"),
        "{}",
        server.stderr.text()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_server_ends_at_once() {
    let home = Home::new(Kind::Sqlite).await;
    let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
    // A connection that is kept open and says nothing is not waited for.
    server.get("/api/status").await.expect(204);
    assert!(server.terminate().await.success(), "{}", server.stderr.text());
    assert!(!server.stderr.text().contains("stopped before"), "{}", server.stderr.text());
}
