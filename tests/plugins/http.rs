//! HTTP requests of plugins over real connections: grants, egress rules, and limits of responses.

use crate::support::Server;
use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header::LOCATION},
    routing::{any, get},
};
use claimsmith_config as config;
use claimsmith_services::{
    egress::Egress,
    plugins::{ClaimsRefusal, PluginHttp, PluginsOptions},
};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Asks the URL in its variable, and tells what came of it.
const ASKS: &str = r#"
export const getCustomJwtClaims = async ({ environmentVariables: { URL, INIT } }) => {
  try {
    const answer = await fetch(URL, JSON.parse(INIT ?? "{}"));
    return { status: answer.status, location: answer.headers.get("location"), text: (await answer.text()).slice(0, 500) };
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
};
"#;

/// Another server on this machine, and how often it was asked.
struct Neighbour {
    port: u16,
    asked: Arc<AtomicUsize>,
}

impl Neighbour {
    async fn start() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let echo = async |request: Request| {
            let names: Vec<_> = request.headers().keys().map(|name| name.as_str().to_owned()).collect();
            let host = request.headers().get("host").unwrap().to_str().unwrap().to_owned();
            let method = request.method().to_string();
            let body = axum::body::to_bytes(request.into_body(), 1 << 20).await.unwrap();
            format!("{method} {host} {names:?} {}", String::from_utf8_lossy(&body))
        };
        let router = Router::new()
            .route("/", any(echo))
            .route("/redirect", get(async || (StatusCode::FOUND, [(LOCATION, "/elsewhere")])))
            .route("/large", get(async || "x".repeat(300 << 10)))
            .route("/slow", get(std::future::pending::<&'static str>))
            .layer(axum::middleware::map_request(move |request: Request| {
                counter.fetch_add(1, Ordering::SeqCst);
                std::future::ready(request)
            }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// A manifest with this capability, and what `ASKS` shall do.
fn manifest(hosts: &[&str], more: &str, url: &str, init: &Value) -> String {
    format!(
        "[capabilities.http]\nhosts = {hosts:?}\nplain = true\n{more}\n[environment]\nURL = '{url}'\nINIT = '{init}'\n"
    )
}

async fn server(files: &[(&str, &str)], allowed_networks: &[&str]) -> Server {
    let allowed_networks = allowed_networks.iter().map(|network| network.parse().unwrap()).collect();
    let egress = Arc::new(Egress::new(&config::EgressConfig { allowed_networks }));
    let http = PluginHttp::new(egress);
    Server::with_options(files, |options| PluginsOptions { http: Some(Arc::new(http)), ..options }).await
}

/// What a plugin with this manifest comes back with, on a server that may enter these networks.
async fn ask(manifest: &str, allowed_networks: &[&str]) -> Value {
    server(&[("asks.js", ASKS), ("asks.toml", manifest)], allowed_networks).await.claims().await
}

fn error(claims: &Value) -> &str {
    claims["error"].as_str().unwrap_or_else(|| panic!("it was answered: {claims}"))
}

#[tokio::test]
async fn a_granted_server_is_asked() {
    let neighbour = Neighbour::start().await;
    let host = format!("127.0.0.1:{}", neighbour.port);
    let headers = json!({ "X-Key": "k", "Host": "evil.example", "Connection": "close", "Content-Length": "1",
        "Transfer-Encoding": "chunked" });
    let init = json!({ "method": "POST", "headers": headers, "body": "what it says" });
    let settings = manifest(&[&host], "methods = ['POST']", &neighbour.url("/"), &init);
    let claims = ask(&settings, &["127.0.0.0/8"]).await;
    assert_eq!(claims["status"], 200, "{claims}");
    let text = claims["text"].as_str().unwrap();
    let expected = format!(
        "POST {host} [\"content-type\", \"x-key\", \"accept\", \"user-agent\", \"host\", \"content-length\"] what it says"
    );
    assert_eq!(text, expected);
    assert_eq!(neighbour.asked(), 1);
}

#[tokio::test]
async fn a_redirect_is_an_answer_like_any_other() {
    let neighbour = Neighbour::start().await;
    let host = format!("127.0.0.1:{}", neighbour.port);
    let settings = manifest(&[&host], "", &neighbour.url("/redirect"), &json!({}));
    let claims = ask(&settings, &["127.0.0.1"]).await;
    assert_eq!((&claims["status"], &claims["location"]), (&json!(302), &json!("/elsewhere")));
    assert_eq!(neighbour.asked(), 1);
}

#[tokio::test]
async fn what_the_manifest_does_not_grant_is_not_sent() {
    let neighbour = Neighbour::start().await;
    let url = neighbour.url("/?key=hidden");
    let host = format!("127.0.0.1:{}", neighbour.port);
    let shown = neighbour.url("/");
    let elsewhere = manifest(&["api.example.com", "127.0.0.1"], "", &url, &json!({}));
    let expected = format!("TypeError: fetch failed: GET {shown} was not granted to this plugin");
    assert_eq!(error(&ask(&elsewhere, &["127.0.0.1"]).await), expected);
    let deletes = manifest(&[&host], "", &url, &json!({ "method": "DELETE" }));
    let expected = format!("TypeError: fetch failed: DELETE {shown} was not granted to this plugin");
    assert_eq!(error(&ask(&deletes, &["127.0.0.1"]).await), expected);
    let nothing = format!("[environment]\nURL = '{url}'\n");
    let expected = format!("TypeError: fetch failed: GET {shown} was not granted to this plugin");
    assert_eq!(error(&ask(&nothing, &["127.0.0.1"]).await), expected);
    assert_eq!(neighbour.asked(), 0);
}

#[tokio::test]
async fn no_grant_leads_into_a_network_that_the_server_may_not_enter() {
    let neighbour = Neighbour::start().await;
    for (host, address) in [
        ("127.0.0.1", "127.0.0.1 is loopback"),
        ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1 is loopback"),
        ("[::1]", "::1 is loopback"),
        ("0.0.0.0", "0.0.0.0 is unspecified"),
        // A host name is checked by the addresses that it resolves to.
        ("localhost", " is loopback"),
    ] {
        let host = format!("{host}:{}", neighbour.port);
        let claims = ask(&manifest(&[&host], "", &format!("http://{host}/"), &json!({})), &["10.0.0.0/8"]).await;
        let text = error(&claims);
        assert!(text.contains(" are not allowed: "), "{host}: {text}");
        assert!(text.contains(&format!("{address}, and not in egress.allowed_networks")), "{host}: {text}");
    }
    assert_eq!(neighbour.asked(), 0);

    let host = format!("localhost:{}", neighbour.port);
    let settings = manifest(&[&host], "", &format!("http://{host}/"), &json!({}));
    assert_eq!(ask(&settings, &["127.0.0.0/8"]).await["status"], 200);
}

#[tokio::test]
async fn an_answer_may_be_neither_too_large_nor_too_slow() {
    let neighbour = Neighbour::start().await;
    let host = format!("127.0.0.1:{}", neighbour.port);
    let time = "ms = 10000";
    let large = ask(&manifest(&[&host], time, &neighbour.url("/large"), &json!({})), &["127.0.0.1"]).await;
    assert!(error(&large).contains("the answer has more than 262"), "{large}");
    let fits = manifest(&[&host], "ms = 10000\nkib = 400", &neighbour.url("/large"), &json!({}));
    assert_eq!(ask(&fits, &["127.0.0.1"]).await["status"], 200);
    let slow = manifest(&[&host], "ms = 50", &neighbour.url("/slow"), &json!({}));
    let slow = ask(&slow, &["127.0.0.1"]).await;
    assert_eq!(
        error(&slow),
        format!("TypeError: fetch failed: GET {}: no answer within 50 ms", neighbour.url("/slow"))
    );
}

#[tokio::test]
async fn an_unreachable_server_is_an_error() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    drop(listener);
    let settings = manifest(&[&host], "ms = 10000", &format!("http://{host}/"), &json!({}));
    let claims = ask(&settings, &["127.0.0.1"]).await;
    assert!(error(&claims).contains("no connection to 127.0.0.1: "), "{claims}");
}

#[tokio::test]
async fn all_plugins_of_a_token_share_sixteen_requests() {
    let neighbour = Neighbour::start().await;
    let many = "export const getCustomJwtClaims = async ({ environmentVariables: { URL } }) => {
        const asked = await Promise.allSettled(Array.from({ length: 10 }, () => fetch(URL)));
        return { [URL.at(-1)]: asked.filter(({ status }) => status === 'fulfilled').length };
    };";
    let settings = |path: &str| {
        let host = format!("127.0.0.1:{}", neighbour.port);
        manifest(&[&host], "calls = 10\nms = 10000", &neighbour.url(path), &json!({}))
    };
    let (first, second) = (settings("/?a"), settings("/?b"));
    let files = [("a.js", many), ("a.toml", &*first), ("b.ts", many), ("b.toml", &*second)];
    let server = server(&files, &["127.0.0.1"]).await;
    for _ in 0..2 {
        assert_eq!(server.claims().await, json!({ "a": 10, "b": 6 }), "each token has a budget of its own");
    }
    assert_eq!(neighbour.asked(), 32);
}

#[tokio::test]
async fn requests_are_listed_and_counted() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let neighbour = Neighbour::start().await;
    let host = format!("127.0.0.1:{}", neighbour.port);
    let granted = manifest(&[&host], "", &neighbour.url("/"), &json!({}));
    let refused = manifest(&[&host], "", "https://api.example.com/", &json!({}));
    let files = [("a.js", ASKS), ("a.toml", &*granted), ("b.js", ASKS), ("b.toml", &*refused), ("c.js", ASKS)];
    let server = server(&files, &["127.0.0.1"]).await;
    server.remove("c.js");
    server.until("two plugins", |list| list.len() == 2).await;
    server.exchange().await.unwrap();
    let text = metrics.render();
    for line in [
        "claimsmith_plugin_http_requests_total{plugin=\"a\",outcome=\"answered\"} 1\n",
        "claimsmith_plugin_http_requests_total{plugin=\"b\",outcome=\"refused\"} 1\n",
    ] {
        assert!(text.contains(line), "{line:?} is missing in:\n{text}");
    }
    let status = serde_json::to_value(server.status("a").unwrap()).unwrap();
    let http = json!({ "hosts": [host], "methods": ["GET"], "calls": 4, "kib": 256, "ms": 500, "plain": true });
    assert_eq!(status["capabilities"], json!({ "http": http }));
    assert!(status["imports"].as_array().unwrap().contains(&json!("claimsmith:plugin/http")), "{status}");
}

#[tokio::test]
async fn a_secret_never_becomes_a_claim() {
    let leaks =
        "export const getCustomJwtClaims = ({ environmentVariables: { KEY } }) => ({ a: [{ b: `<${KEY}>` }] });";
    let settings = "[secrets]\nKEY = { file = \"key\" }\n";
    let server = server(&[("a.js", leaks), ("a.toml", settings), ("key", "hunter22")], &[]).await;
    let Err(ClaimsRefusal::Failed { outcome, .. }) = server.exchange().await else { panic!("a token was issued") };
    assert_eq!(outcome, "secret_in_claims");

    let first = server.generation("a");
    server.write("a.toml", &format!("on_error = \"skip\"\n{settings}"));
    server.until_newer("a", first).await;
    assert_eq!(server.claims().await, json!({}));
    let second = server.generation("a");
    server.write("key", "abc");
    server.until_newer("a", second).await;
    assert_eq!(server.claims().await, json!({ "a": [{ "b": "<abc>" }] }), "three letters may stand anywhere");
}
