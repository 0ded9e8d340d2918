//! Connection limits and timeouts: half-sent requests, clients that do not read, unknown host names.

use crate::BINARY;
use crate::metrics::scrape;
use claimsmith_test_support::{Answer, Home, Kind, Process, Wire, in_time, until};
use reqwest::Method;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::net::{IpAddr, Ipv4Addr};
use std::ops::Deref;
use std::sync::Arc;
use tokio::net::TcpStream;

async fn server(changes: &[(&str, &str)]) -> Server {
    let home = Home::new(Kind::Sqlite).await;
    Server { process: Process::start(BINARY, &home, changes).await.unwrap(), _home: home }
}

/// A server in a home that lasts as long.
struct Server {
    process: Process,
    _home: Arc<Home>,
}

impl Deref for Server {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.process
    }
}

/// A connection on which this much was said.
async fn said(server: &Process, text: &str) -> Wire {
    let mut wire = Wire::open(server).await.unwrap();
    wire.say(text).await.unwrap();
    wire
}

/// A head that announces more of a body than ever comes.
fn head(request: &str, more: &str) -> String {
    format!("{request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n{more}\r\n")
}

/// A neighbour has an address of their own.
const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

const REFUSED: &str = "claimsmith_connections_refused_total";

const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

const BROWSER: &str =
    "Content-Type: application/x-www-form-urlencoded\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Language: fr-CA\r\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_sent_heads_time_out_and_block_no_other_client() {
    let server = server(&[("CLAIMSMITH_MAX_CONNECTIONS_PER_ADDRESS", "8"), ("CLAIMSMITH_HEADER_TIMEOUT", "2")]).await;
    let mut half_sent = Vec::new();
    for text in
        ["", "G", "GET /api/status HTTP/1.1\r\nHost: loc", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"].iter().cycle().take(100)
    {
        // Those beyond the limit may be closed before they have said it.
        let mut wire = Wire::open(&server).await.unwrap();
        let _ = wire.say(text).await;
        half_sent.push(wire);
    }
    let http = reqwest::Client::builder().no_proxy().local_address(NEIGHBOUR).build().unwrap();
    let answer = in_time("a neighbour's answer", Answer::of(http.get(server.url("/api/status")))).await;
    answer.expect(204);
    for wire in half_sent {
        let rest = in_time("the end of a half-sent request", wire.rest()).await;
        assert!(!rest.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&rest));
    }
    server.get("/api/status").await.expect(204);
}

/// A server that may have this many file descriptors.
async fn server_with_descriptors(count: u32, changes: &[(&str, &str)]) -> Server {
    // This process needs one for every connection, too.
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    let home = Home::new(Kind::Sqlite).await;
    let limited = format!("ulimit -n {count} && exec \"$0\"");
    let words = ["sh", "-c", &limited, BINARY].map(str::to_owned);
    Server { process: Process::start_by(&words, &home, changes).await.unwrap(), _home: home }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_half_sent_requests_than_file_descriptors_block_no_other_client() {
    let server =
        server_with_descriptors(1024, &[("CLAIMSMITH_LOG_FORMAT", "json"), ("CLAIMSMITH_HEADER_TIMEOUT", "60")]).await;
    let mut half_sent = Vec::new();
    for _ in 0..1100 {
        let mut wire = Wire::open(&server).await.unwrap();
        let _ = wire.say("POST /oidc/token HTTP/1.1\r\n").await;
        half_sent.push(wire);
    }
    let http = reqwest::Client::builder().no_proxy().local_address(NEIGHBOUR).build().unwrap();
    in_time("a neighbour's answer", Answer::of(http.get(server.url("/api/status")))).await.expect(204);
    let refused = crate::metrics::value(&scrape(&server).await, REFUSED, &["reason=\"address\""]);
    assert!(refused >= 1100 - 256, "{refused} of one address were refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_descriptors_comes_back_when_there_are_some() {
    let far_too_many = [("CLAIMSMITH_MAX_CONNECTIONS", "10000"), ("CLAIMSMITH_MAX_CONNECTIONS_PER_ADDRESS", "10000")];
    let server = server_with_descriptors(256, &far_too_many).await;
    let mut half_sent = Vec::new();
    for _ in 0..300 {
        half_sent.push(Wire::open(&server).await.unwrap());
    }
    server.stderr.wait_for("no connection can be accepted").await;
    drop(half_sent);
    let answers = async || Answer::try_of(server.http.get(server.url("/api/status"))).await.ok();
    until("an answer", answers).await.expect(204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_are_no_more_connections_than_configured() {
    let limits = [("CLAIMSMITH_MAX_CONNECTIONS", "4"), ("CLAIMSMITH_MAX_CONNECTIONS_PER_ADDRESS", "4")];
    let server = server(&limits).await;
    let mut open = Vec::new();
    // What the start of the server asked may still be closing.
    until("four connections", async || {
        let mut wire = said(&server, "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        if wire.answer().await.is_ok() {
            open.push(wire);
        }
        (open.len() == 4).then_some(())
    })
    .await;
    let beyond = in_time("the end of a fifth", Wire::open(&server).await.unwrap().rest()).await;
    assert!(beyond.is_empty(), "{}", String::from_utf8_lossy(&beyond));
    open.pop();
    let answers = async || {
        let mut wire = Wire::open(&server).await.ok()?;
        wire.say("GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n").await.ok()?;
        wire.answer().await.ok()
    };
    until("a place", answers).await.expect(204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_reset_as_they_begin_end_their_connection() {
    let server = server(&[]).await;
    let stream = TcpStream::connect(server.origin.trim_start_matches("http://")).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let reset = async {
        loop {
            let request = axum::http::Request::post(server.url("/oidc/token")).body(()).unwrap();
            let Ok(ready) = client.clone().ready().await else { return };
            client = ready;
            let Ok((_, mut stream)) = client.send_request(request, false) else { return };
            stream.send_reset(h2::Reason::CANCEL);
        }
    };
    in_time("the end of the connection", reset).await;
    let error = in_time("why it ended", connection).await.unwrap().unwrap_err();
    // The reason is lost where the client is still writing when the server has closed.
    assert!(error.is_io() || error.reason() == Some(h2::Reason::ENHANCE_YOUR_CALM), "{error}");
    server.get("/api/status").await.expect(204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_does_not_come_is_given_up() {
    let server = server(&[("CLAIMSMITH_BODY_IDLE_TIMEOUT", "1"), ("CLAIMSMITH_BODY_TIMEOUT", "2")]).await;
    let token = server.management_token().await;
    let bearer = format!("Authorization: Bearer {token}\r\nContent-Type: text/javascript\r\n");
    for path in ["/oidc/token", "/oidc/token/introspection"] {
        let mut wire = said(&server, &head(&format!("POST {path}"), FORM)).await;
        in_time(path, wire.answer()).await.unwrap().expect_oauth_error(408, "invalid_request");
    }
    for request in ["POST /api/users", "PUT /api/plugins/slow"] {
        let mut wire = said(&server, &head(request, &bearer)).await;
        in_time(request, wire.answer()).await.unwrap().expect_api_error(408, "request.body_timeout");
    }
    let mut wire = said(&server, &head("POST /oidc/auth", BROWSER)).await;
    expect_page(&in_time("a page", wire.answer()).await.unwrap(), 408, "request.body_timeout");
    // Never idle, and never done.
    let mut wire = said(&server, &head("PUT /api/plugins/slow", &bearer)).await;
    let trickle = wire.answer_while_saying("a", std::time::Duration::from_millis(50));
    in_time("an upload by the byte", trickle).await.unwrap().expect_api_error(408, "request.body_timeout");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_timeout_has_the_error_format_of_its_family() {
    let server = server(&[("CLAIMSMITH_REQUEST_TIMEOUT", "1")]).await;
    let token = server.management_token().await;
    let mut wire = said(&server, &head("POST /oidc/token", FORM)).await;
    in_time("a token", wire.answer()).await.unwrap().expect_oauth_error(503, "temporarily_unavailable");
    let mut wire = said(&server, &head("POST /api/users", &format!("Authorization: Bearer {token}\r\n"))).await;
    in_time("a user", wire.answer()).await.unwrap().expect_api_error(503, "request.timeout");
    for path in ["POST /oidc/auth", "POST /oidc/session/end"] {
        let mut wire = said(&server, &head(path, BROWSER)).await;
        let answer = in_time(path, wire.answer()).await.unwrap();
        assert_eq!(answer.header("retry-after"), Some("1"));
        expect_page(&answer, 503, "request.timeout");
    }
}

/// Asserts an error page in the reader's language that names this code.
fn expect_page(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{:#}", answer.body);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("content-language"), Some("fr"));
    assert!(answer.header("content-security-policy").unwrap().contains("frame-ancestors 'none'"));
    assert!(answer.body.as_str().unwrap().contains(code), "{:#}", answer.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_behind_a_trusted_proxy_have_shares_of_their_own() {
    let changes = [("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1"), ("CLAIMSMITH_MAX_CONNECTIONS_PER_ADDRESS", "2")];
    let server = server(&changes).await;
    let mut under_way = Vec::new();
    for _ in 0..2 {
        let text = head("POST /oidc/token", &format!("{FORM}X-Forwarded-For: 192.0.2.1\r\nExpect: 100-continue\r\n"));
        let mut wire = said(&server, &text).await;
        // It is being read.
        assert_eq!(wire.answer().await.unwrap().status, 100);
        under_way.push(wire);
    }
    let ask = async |path: &str, client: &str| {
        Answer::of(server.http.get(server.url(path)).header("x-forwarded-for", client)).await
    };
    ask("/api/users", "192.0.2.1").await.expect_api_error(503, "request.too_many");
    let refused = ask("/oidc/jwks", "192.0.2.1").await;
    refused.expect_oauth_error(503, "temporarily_unavailable");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // The proxy itself, and its other clients, are not held back by that.
    ask("/api/status", "192.0.2.2").await.expect(204);
    server.get("/api/status").await.expect(204);
    drop(under_way);
    until("the share is free again", async || (ask("/api/status", "192.0.2.1").await.status == 204).then_some(()))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_rests_or_is_not_read_ends() {
    let server = server(&[("CLAIMSMITH_IDLE_TIMEOUT", "1"), ("CLAIMSMITH_HEADER_TIMEOUT", "1")]).await;
    let request = "GET /api/swagger.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut wire = said(&server, request).await;
    wire.answer().await.unwrap().expect(200);
    in_time("the end of a connection that rests", wire.rest()).await;
    let mut wire = said(&server, request).await;
    let never_reads = async { while wire.say(request.repeat(100)).await.is_ok() {} };
    in_time("the end of a connection that is not read", never_reads).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_2_is_spoken() {
    let server = server(&[]).await;
    let http = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().unwrap();
    let response = http.get(server.url("/api/status")).send().await.unwrap();
    assert_eq!((response.status().as_u16(), response.version()), (204, reqwest::Version::HTTP_2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_for_one_host_and_with_demo_data_for_this_one() {
    let server =
        server(&[("CLAIMSMITH_LOG_FORMAT", "json"), ("CLAIMSMITH_BASE_URL", "http://id.localhost:3001")]).await;
    for (path, hosts) in [("/api/status", "Host: localhost\r\nHost: localhost\r\n"), ("/api/status", "")] {
        let mut wire = said(&server, &format!("GET {path} HTTP/1.1\r\n{hosts}\r\n")).await;
        wire.answer().await.unwrap().expect_api_error(400, "request.invalid_host");
    }
    let two = format!("POST /oidc/token HTTP/1.1\r\nHost: a\r\nHost: b\r\n{FORM}Content-Length: 0\r\n\r\n");
    said(&server, &two).await.answer().await.unwrap().expect_oauth_error(400, "invalid_request");

    let metrics: serde_json::Value = serde_json::from_str(&server.stderr.wait_for("\"metrics\"").await).unwrap();
    let metrics = format!("http://{}/metrics", metrics["address"].as_str().unwrap());
    let ask = async |url: &str, host: &str| Answer::of(server.http.get(url).header("host", host)).await;
    for url in [&server.url("/api/swagger.json"), &metrics] {
        ask(url, "rebound.example:3001").await.expect_api_error(421, "request.unknown_host");
        for own in ["localhost", "127.0.0.1:80", "[::1]:3001", "id.localhost:3001"] {
            ask(url, own).await.expect(200);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_that_are_made_up_are_one_series() {
    let server = server(&[("CLAIMSMITH_LOG_FORMAT", "json")]).await;
    for number in 0..50 {
        let method = Method::from_bytes(format!("MADEUP{number}").as_bytes()).unwrap();
        Answer::of(server.http.request(method, server.url("/api/users"))).await.expect(405);
    }
    let text = scrape(&server).await;
    assert!(!text.contains("MADEUP"), "{text}");
    let labels = ["method=\"other\"", "route=\"/api/users\"", "status=\"405\""];
    assert_eq!(crate::metrics::value(&text, "claimsmith_http_requests_total", &labels), 50, "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_method_gets_an_allow_header() {
    let server = server(&[]).await;
    for (method, path, allowed) in [
        (Method::PUT, "/api/users", "POST,GET,HEAD"),
        (Method::POST, "/api/plugins/name", "PUT,GET,HEAD,PATCH,DELETE"),
        (Method::DELETE, "/api/status", "GET,HEAD"),
    ] {
        let answer = Answer::of(server.http.request(method, server.url(path))).await;
        answer.expect_api_error(405, "request.method_not_allowed");
        let sorted = |text: &str| {
            let mut methods: Vec<String> = text.split(',').map(|method| method.trim().to_owned()).collect();
            methods.sort();
            methods
        };
        assert_eq!(sorted(answer.header("allow").unwrap()), sorted(allowed), "{path}");
    }
    let answer = Answer::of(server.http.get(server.url("/oidc/token"))).await;
    answer.expect_oauth_error(404, "invalid_request");
    assert_eq!(answer.header("allow"), Some("POST"));
}
