//! Streams end with the token, the session or the right behind them, and one caller has a few at a time.

use crate::fixtures::narrow;
use claimsmith_storage::plugins::logs::{self, NewLine};
use claimsmith_test_support::{Answer, TestServer, both, in_time, until};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;

const SOURCE: &str = "export const getCustomJwtClaims = async () => ({});";
const LOGS: &str = "/api/plugins/quiet/logs";

async fn write(server: &TestServer, message: &str) {
    let line = NewLine {
        plugin_name: "quiet".to_owned(),
        level: "info",
        message: message.to_owned(),
        request_id: None,
        digest: None,
        created_at: server.clock.now_ms(),
    };
    let mut tx = server.begin().await;
    logs::append(&mut tx, &[line]).await.unwrap();
    tx.commit().await.unwrap();
}

/// Reads a stream until this stands in it; `false` if it ends before.
async fn reads(stream: &mut reqwest::Response, wanted: &str) -> bool {
    let mut seen = String::new();
    while let Ok(Some(chunk)) = in_time("a part of a stream", stream.chunk()).await {
        seen += &String::from_utf8_lossy(&chunk);
        if seen.contains(wanted) {
            return true;
        }
    }
    false
}

both!(a_stream_ends_with_the_right_behind_it, async |server: TestServer| {
    let management = server.management().await;
    let upload = management.request(Method::PUT, "/api/plugins/quiet").header(CONTENT_TYPE, "text/javascript");
    Answer::of(upload.body(SOURCE)).await.expect(201);
    let reader = narrow(&server, &management, &["plugins:read"]).await;
    let open = async || {
        let request = reader.request(Method::GET, LOGS).header("accept", "text/event-stream");
        request.send().await.unwrap()
    };
    let mut stream = open().await;
    assert_eq!(stream.status(), 200);
    write(&server, "before").await;
    assert!(reads(&mut stream, "before").await);
    // The application is gone, and its token with it.
    let applications = management.get("/api/applications?page_size=100").await.expect(200).body;
    let own = applications.as_array().unwrap().iter().find(|one| one["name"] == "plugins:read").unwrap();
    management.delete(&format!("/api/applications/{}", own["id"].as_str().unwrap())).await.expect(204);
    write(&server, "afterwards").await;
    assert!(!reads(&mut stream, "afterwards").await, "the stream ends without the line");
});

both!(a_caller_has_a_few_streams_at_a_time, async |server: TestServer| {
    let management = server.management().await;
    let upload = management.request(Method::PUT, "/api/plugins/quiet").header(CONTENT_TYPE, "text/javascript");
    Answer::of(upload.body(SOURCE)).await.expect(201);
    let reader = narrow(&server, &management, &["plugins:read"]).await;
    let other = narrow(&server, &management, &["plugins:read", "logs:read"]).await;
    let mut open = Vec::new();
    for number in 0..6 {
        let request = reader.request(Method::GET, LOGS).header("accept", "text/event-stream");
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status().as_u16(), if number < 4 { 200 } else { 429 }, "{number}");
        open.push(answer);
    }
    let refused = reader.request(Method::GET, LOGS).header("accept", "text/event-stream");
    Answer::of(refused).await.expect_api_error(429, "request.too_many_streams");
    let answer = other.request(Method::GET, LOGS).header("accept", "text/event-stream").send().await.unwrap();
    assert_eq!(answer.status(), 200, "others have theirs");
    // Reading a page is none, and whoever closes one may open another.
    reader.get(LOGS).await.expect(200);
    drop(open);
    until("room for another stream", async || {
        let answer = reader.request(Method::GET, LOGS).header("accept", "text/event-stream").send().await.unwrap();
        (answer.status() == 200).then_some(())
    })
    .await;
});
