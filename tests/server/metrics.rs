//! The Prometheus metrics.

use crate::BINARY;
use claimsmith_test_support::{Answer, Home, Kind, Process, until};
use reqwest::Method;
use serde_json::{Value, json};

/// The text that Prometheus reads.
pub(crate) async fn scrape(server: &Process) -> String {
    let line: Value = serde_json::from_str(&server.stderr.wait_for("\"metrics\"").await).unwrap();
    let url = format!("http://{}/metrics", line["address"].as_str().unwrap());
    let answer = Answer::of(server.http.get(url)).await.expect(200);
    answer.body.as_str().unwrap().to_owned()
}

/// The value of a series; its labels may stand in any order.
pub(crate) fn value(text: &str, name: &str, labels: &[&str]) -> u64 {
    let series = text.lines().find(|line| {
        line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']))
            && labels.iter().all(|label| line.contains(label))
    });
    series.and_then(|line| line.rsplit(' ').next()).map_or(0, |value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_exchanges_and_plugin_calls_are_counted() {
    let home = Home::new(Kind::Sqlite).await;
    std::fs::write(home.plugins_dir().join("hello.js"), "export const getCustomJwtClaims = () => ({ hello: 1 });")
        .unwrap();
    let server = Process::start(BINARY, &home, &[("CLAIMSMITH_LOG_FORMAT", "json")]).await.unwrap();
    let token = server.customer_token().await;
    server.exchange(&token).send().await.expect(200);
    server.exchange(&token).send().await.expect(400);
    server.get("/api/users/a-secret-id").await.expect(401);

    let text = scrape(&server).await;
    let exchanges = |outcome: &str| {
        let outcome = format!("outcome=\"{outcome}\"");
        value(&text, "claimsmith_token_requests_total", &["grant=\"token-exchange\"", &outcome])
    };
    assert_eq!((exchanges("issued"), exchanges("invalid_request")), (1, 1), "{text}");
    let labels = ["method=\"POST\"", "route=\"/oidc/token\"", "status=\"200\""];
    assert_eq!(value(&text, "claimsmith_http_requests_total", &labels), 2, "{text}");
    assert!(value(&text, "claimsmith_http_request_seconds_count", &labels[..2]) >= 3, "{text}");
    let calls = value(&text, "claimsmith_plugin_calls_total", &["plugin=\"hello\"", "outcome=\"ok\""]);
    assert_eq!(calls, 1, "{text}");
    assert_eq!(value(&text, "claimsmith_plugin_call_seconds_count", &["plugin=\"hello\""]), calls, "{text}");
    assert!(value(&text, "claimsmith_plugin_reloads_total", &[]) >= 1, "{text}");
    // A path is nobody's label: ids would make series without end.
    assert!(!text.contains("a-secret-id"), "{text}");
    // The public listener does not tell.
    server.get("/metrics").await.expect(404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_version_in_a_rollout_and_its_open_breaker_are_counted() {
    let home = Home::new(Kind::Sqlite).await;
    let server = Process::start(BINARY, &home, &[("CLAIMSMITH_LOG_FORMAT", "json")]).await.unwrap();
    let management = server.management().await;
    let upload = async |query: &str, source: &'static str| {
        let request = management.request(Method::PUT, &format!("/api/plugins/hello{query}"));
        Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
    };
    upload("", "export const getCustomJwtClaims = () => ({ hello: 1 });").await;
    upload("?activate=false", "export const getCustomJwtClaims = () => { throw new Error('it broke'); };").await;
    let settings = json!({ "onError": "skip", "breaker": { "failures": 3 } });
    management.patch("/api/plugins/hello", settings).await.expect(200);
    let exchange = async || server.exchange(&server.customer_token().await).send().await.expect(200);
    exchange().await;
    let canary = json!({ "version": "2", "mode": "canary", "share": 100 });
    management.post("/api/plugins/hello/rollout", canary).await.expect(201);

    let text = until("the series of an open breaker", async || {
        exchange().await;
        let text = scrape(&server).await;
        let names = ["breakers_open", "breakers_opened_total", "not_called_total"];
        let is_counted = |name: &str| value(&text, &format!("claimsmith_plugin_{name}"), &["plugin=\"hello\""]) > 0;
        names.into_iter().all(is_counted).then_some(text)
    })
    .await;
    let labels = ["plugin=\"hello\"", "version=\"candidate\"", "outcome=\"failed\""];
    let failed = value(&text, "claimsmith_plugin_rollout_calls_total", &labels);
    assert!(failed >= 3, "{text}");
    assert_eq!(value(&text, "claimsmith_plugin_rollout_call_seconds_count", &labels[..2]), failed, "{text}");
    let calls = value(&text, "claimsmith_plugin_calls_total", &["plugin=\"hello\"", "outcome=\"ok\""]);
    assert_eq!(calls, 1, "before the rollout: {text}");
}
