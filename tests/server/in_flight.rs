//! What one address may have in progress: requests, bytes of bodies, and responses that it does not read, over whatever
//! connections and streams. A neighbour with an address of its own notices nothing.

use crate::BINARY;
use bytes::Bytes;
use claimsmith_test_support::{Answer, Home, Kind, Process, Wire, in_time, until};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use h2::client::{Builder, ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// What the server may hold for the responses of an attack, beside what it holds anyway: 20,000 streams have some
/// kilobytes of state each. With copies of the document it was 5.8 GB.
const MAX_ATTACK_BYTES: u64 = 200 << 20;

async fn server(changes: &[(&str, &str)]) -> (Arc<Home>, Process) {
    let home = Home::new(Kind::Sqlite).await;
    let process = Process::start(BINARY, &home, changes).await.unwrap();
    (home, process)
}

fn neighbour() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().local_address(NEIGHBOUR).build().unwrap()
}

/// A neighbour gets a token of the machine that the bootstrap made.
async fn expect_token_of_neighbour(server: &Process) {
    let machine = server.machine();
    let form = [("grant_type", "client_credentials"), ("resource", &*machine.resource), ("scope", "all")];
    let request = neighbour().post(server.url("/oidc/token")).form(&form);
    let request = request.basic_auth(&machine.client_id, Some(&machine.client_secret));
    in_time("a neighbour's token", Answer::of(request)).await.expect(200);
}

/// A connection of HTTP/2 whose client lets so many bytes of each response come.
struct Client {
    streams: SendRequest<Bytes>,
    origin: String,
    /// Ends with the client.
    _connection: JoinSet<()>,
}

impl Client {
    async fn open(server: &Process, window: u32) -> Self {
        let stream = TcpStream::connect(server.origin.trim_start_matches("http://")).await.unwrap();
        let (streams, connection) = Builder::new().initial_window_size(window).handshake(stream).await.unwrap();
        let mut running = JoinSet::new();
        running.spawn(async move { drop(connection.await) });
        Self { streams, origin: server.origin.clone(), _connection: running }
    }

    async fn send(&mut self, method: &str, path: &str, token: &str) -> Option<(ResponseFuture, SendStream<Bytes>)> {
        let request = axum::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.origin))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {token}"));
        self.streams = self.streams.clone().ready().await.ok()?;
        self.streams.send_request(request.body(()).unwrap(), method == "GET").ok()
    }

    /// The status of a `GET`, with the body that is not read.
    async fn get(&mut self, path: &str, token: &str) -> Option<(u16, RecvStream)> {
        let (response, _) = self.send("GET", path, token).await?;
        let response = in_time(path, response).await.ok()?;
        Some((response.status().as_u16(), response.into_body()))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_has_so_many_requests_in_progress_over_one_connection() {
    let (_home, server) = server(&[("CLAIMSMITH_MAX_CONNECTIONS_PER_ADDRESS", "4")]).await;
    let token = server.management_token().await;
    let mut client = Client::open(&server, 65_535).await;
    let (mut responses, mut bodies) = (FuturesUnordered::new(), Vec::new());
    for _ in 0..8 {
        // Its body never ends.
        let (response, mut body) = client.send("POST", "/api/roles", &token).await.unwrap();
        body.send_data(Bytes::from_static(b"{"), false).unwrap();
        responses.push(response);
        bodies.push(body);
    }
    for _ in 0..4 {
        let refused = in_time("a refusal", responses.next()).await.unwrap().unwrap();
        assert_eq!(refused.status(), 503);
    }
    for _ in 0..20 {
        assert_eq!(client.get("/api/status", "").await.unwrap().0, 503);
    }
    expect_token_of_neighbour(&server).await;
    drop((responses, bodies));
    until("a place", async || (client.get("/api/status", "").await?.0 == 204).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_read_ends_the_connection_whatever_else_is_read() {
    let (_home, server) = server(&[("CLAIMSMITH_IDLE_TIMEOUT", "2")]).await;
    let mut client = Client::open(&server, 0).await;
    let unread = client.get("/api/swagger.json", "").await.unwrap();
    assert_eq!(unread.0, 200);
    // These have no body.
    let others = async { while client.get("/api/status", "").await.is_some() {} };
    in_time("the end of the connection", others).await;
    drop(unread);
    server.get("/api/status").await.expect(204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_that_nobody_reads_take_little_memory_and_keep_nobody_from_a_token() {
    let (_home, server) = server(&[]).await;
    server.get("/api/swagger.json").await.expect(200);
    let before = server.resident_memory();
    let mut held = Vec::new();
    for _ in 0..200 {
        let mut client = Client::open(&server, 0).await;
        let mut responses = Vec::new();
        for _ in 0..100 {
            match client.send("GET", "/api/swagger.json", "").await {
                Some((response, _)) => responses.push(response),
                None => break,
            }
        }
        held.push((client, responses));
    }
    let (mut statuses, mut unread) = ([0_usize; 2], Vec::new());
    for (_, responses) in &mut held {
        for response in responses.drain(..) {
            let response = in_time("a response", response).await.unwrap();
            statuses[usize::from(response.status() != 200)] += 1;
            unread.push(response.into_body());
        }
    }
    let taken = server.resident_memory().saturating_sub(before);
    assert!(taken < MAX_ATTACK_BYTES, "{} MiB for {statuses:?}", taken >> 20);
    println!("{} MiB for {statuses:?}", taken >> 20);
    assert!(statuses[1] > 0, "{statuses:?}");
    expect_token_of_neighbour(&server).await;
    drop(unread);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_of_bodies_are_limited_for_each_address() {
    // A quarter of a mebibyte for an address, an eighth for a connection.
    let (_home, server) = server(&[("CLAIMSMITH_MAX_IN_FLIGHT_MIB", "1")]).await;
    let token = server.management_token().await;
    let mut held = Vec::new();
    let mut responses = FuturesUnordered::new();
    for _ in 0..6 {
        let mut client = Client::open(&server, 65_535).await;
        let (response, mut body) = client.send("POST", "/api/roles", &token).await.unwrap();
        body.send_data(Bytes::from(vec![b' '; 100 << 10]), false).unwrap();
        responses.push(response);
        held.push((client, body));
    }
    // Two of them fit beside each other.
    for _ in 0..4 {
        let response = in_time("a refusal", responses.next()).await.unwrap().unwrap();
        assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (503, &"1".parse().unwrap()));
    }
    // Small requests of the same address go on, and a neighbour has a share of its own.
    server.get("/api/status").await.expect(204);
    server.management().await.get("/api/roles").await.expect(200);
    expect_token_of_neighbour(&server).await;
    let large = json!({ "name": "clerk", "description": "d".repeat(200 << 10) });
    let request = neighbour().post(server.url("/api/roles")).bearer_auth(&token).json(&large);
    let refused = in_time("a neighbour's body", Answer::of(request)).await;
    assert_ne!(refused.status, 503, "{:#}", refused.body);
    drop((held, responses));
    until("the share is free again", async || {
        let request = server.http.post(server.url("/api/roles")).bearer_auth(&token).json(&large);
        (Answer::of(request).await.status != 503).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_of_responses_that_nobody_reads_are_limited_for_each_address() {
    let (_home, server) = server(&[("CLAIMSMITH_MAX_IN_FLIGHT_MIB", "1")]).await;
    let management = server.management().await;
    let token = server.management_token().await;
    let body = json!({ "username": "ada", "customData": { "text": "x".repeat(150 << 10) } });
    let id = management.post("/api/users", body).await.expect(200).text("id");
    let path = format!("/api/users/{id}");
    let mut held = Vec::new();
    for expected in [200, 503, 503] {
        let mut client = Client::open(&server, 0).await;
        let (status, unread) = client.get(&path, &token).await.unwrap();
        assert_eq!(status, expected);
        held.push((client, unread));
    }
    server.get("/api/status").await.expect(204);
    let read = neighbour().get(server.url(&path)).bearer_auth(&token);
    in_time("a neighbour's response", Answer::of(read)).await.expect(200);
    drop(held);
    until("the share is free again", async || (management.get(&path).await.status == 200).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_trickles_to_the_console_has_the_time_of_every_request() {
    let (_home, server) = server(&[("CLAIMSMITH_REQUEST_TIMEOUT", "1"), ("CLAIMSMITH_BODY_TIMEOUT", "3600")]).await;
    for path in ["/console/users", "/console/sign-out", "/console/setup", "/console/nothing"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: {}\r\nContent-Length: 100000\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n",
            server.origin
        );
        let mut wire = Wire::open(&server).await.unwrap();
        wire.say(head).await.unwrap();
        let answer = in_time(path, wire.answer_while_saying("a", Duration::from_millis(50))).await.unwrap();
        assert!([401, 403, 410, 503].contains(&answer.status), "{path}: {}", answer.status);
    }
}
