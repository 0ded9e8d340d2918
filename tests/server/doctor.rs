//! `claimsmith doctor`: the base URL, the headers of the proxy, the certificate and the clock, over real connections.

use crate::BINARY;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use claimsmith_domain::clock::{Clock, iso8601};
use claimsmith_test_support::{CommandOutput, Home, PluginSigner, Process, both};
use rcgen::{CertificateParams, Issuer, KeyPair, date_time_ymd};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A port that nothing listens on.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A server at a port, whose base URL is that of a proxy or its own.
struct Behind {
    home: Arc<Home>,
    base_url: String,
    listen: String,
    server: Process,
}

impl Behind {
    async fn start(home: &Arc<Home>, base_url: &str, listen: &str, trusted: &str) -> Self {
        let (base_url, listen) = (base_url.to_owned(), listen.to_owned());
        let changes = [
            ("CLAIMSMITH_BASE_URL", base_url.as_str()),
            ("CLAIMSMITH_LISTEN", &listen),
            ("CLAIMSMITH_TRUSTED_PROXIES", trusted),
            ("CLAIMSMITH_METRICS_LISTEN", "127.0.0.1:0"),
        ];
        let server = Process::start(BINARY, home, &changes).await.unwrap();
        Self { home: home.clone(), base_url, listen, server }
    }

    /// What the doctor finds, and its exit code.
    async fn examine(&self, changes: &[(&str, &str)]) -> (Value, Option<i32>) {
        let mut all = vec![("CLAIMSMITH_LISTEN", self.listen.as_str())];
        all.extend(changes);
        let output: CommandOutput = Process::run(BINARY, &self.home, &all, &["doctor", "--json"]).await.into();
        let found = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        (found, output.code)
    }

    /// The finding of a check.
    async fn finding(&self, check: &str, changes: &[(&str, &str)]) -> Value {
        of(&self.examine(changes).await.0, check)
    }
}

fn of(found: &Value, check: &str) -> Value {
    let checks = found["checks"].as_array().unwrap();
    checks.iter().find(|one| one["check"] == check).unwrap_or_else(|| panic!("no {check} in {found:#}")).clone()
}

both!(a_server_of_this_machine_is_fine, async |home: Arc<Home>| {
    let listen = format!("127.0.0.1:{}", free_port());
    let behind = Behind::start(&home, &format!("http://{listen}"), &listen, "").await;
    let (found, code) = behind.examine(&[]).await;
    assert_eq!((code, &found["status"]), (Some(0), &json!("ok")), "{found:#}");
    for (check, message) in [
        ("documents", "Every stored document can be read."),
        ("base URL", "leads to this server"),
        ("proxy", "without a proxy"),
        ("certificate", "not https"),
    ] {
        assert!(of(&found, check)["message"].as_str().unwrap().contains(message), "{found:#}");
    }
    let clock = if claimsmith_test_support::Kind::Postgres == home.kind() { "ok" } else { "skipped" };
    assert_eq!(of(&found, "clock")["status"], clock);
    let output: CommandOutput = Process::run(BINARY, &home, &[], &["doctor"]).await.into();
    let text = output.ok();
    assert!(text.contains("OK       base URL     http://127.0.0.1:"), "{text}");
});

both!(a_name_below_localhost_is_this_machine, async |home: Arc<Home>| {
    let port = free_port();
    let behind =
        Behind::start(&home, &format!("http://login.localhost:{port}"), &format!("127.0.0.1:{port}"), "").await;
    let (found, code) = behind.examine(&[]).await;
    assert_eq!((code, &found["status"]), (Some(0), &json!("ok")), "{found:#}");
});

both!(a_base_url_that_leads_elsewhere_is_a_fault, async |home: Arc<Home>| {
    // Nothing listens there.
    let url = format!("http://127.0.0.1:{}", free_port());
    let behind = Behind::start(&home, &url, &format!("127.0.0.1:{}", free_port()), "").await;
    let (found, code) = behind.examine(&[]).await;
    assert_eq!((code, &found["status"]), (Some(2), &json!("fault")), "{found:#}");
    assert!(of(&found, "base URL")["message"].as_str().unwrap().contains("cannot be reached"), "{found:#}");
    assert_eq!(of(&found, "proxy")["status"], "skipped");
    let output: CommandOutput = Process::run(BINARY, &home, &[], &["doctor", "--offline"]).await.into();
    output.ok();

    // Something else listens there.
    let port = free_port();
    let other =
        Behind::start(&Home::new(home.kind()).await, "http://other.example.com", &format!("127.0.0.1:{port}"), "")
            .await;
    drop(behind);
    let behind =
        Behind::start(&home, &format!("http://127.0.0.1:{port}"), &format!("127.0.0.1:{}", free_port()), "").await;
    let finding = behind.finding("base URL", &[]).await;
    assert!(finding["message"].as_str().unwrap().contains("the issuer http://other.example.com/oidc"), "{finding}");

    // The configuration of the doctor is that of another server.
    let (found, code) = behind.examine(&[("CLAIMSMITH_BASE_URL", "http://third.example.com")]).await;
    assert_eq!(code, Some(2));
    let details = of(&found, "settings")["details"][0].as_str().unwrap().to_owned();
    assert!(details.contains("http://third.example.com") && details.contains(&behind.base_url), "{details}");
    drop(other);
});

/// What a proxy does with the headers of a request.
#[derive(Clone)]
struct Proxy {
    upstream: String,
    /// Headers that it sets, whatever the client sent.
    sets: Vec<(&'static str, String)>,
    /// Whether it removes headers that it does not know.
    is_strict: bool,
}

async fn forward(State(proxy): State<Proxy>, request: Request) -> Response {
    let url = format!("{}{}", proxy.upstream, request.uri());
    let mut onward = reqwest::Client::new().request(request.method().clone(), url);
    for (name, value) in request.headers() {
        let is_set = proxy.sets.iter().any(|(set, _)| name.as_str() == *set);
        let is_unknown = proxy.is_strict && name.as_str().starts_with("claimsmith-");
        if !is_set && !is_unknown {
            onward = onward.header(name, value);
        }
    }
    for (name, value) in &proxy.sets {
        onward = onward.header(HeaderName::from_static(name), value);
    }
    let Ok(answer) = onward.send().await else { return StatusCode::BAD_GATEWAY.into_response() };
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove("transfer-encoding");
    (status, headers, answer.bytes().await.unwrap()).into_response()
}

/// Starts a proxy at a port.
async fn proxy(
    port: u16,
    upstream: &str,
    sets: &[(&'static str, &str)],
    is_strict: bool,
) -> tokio::task::JoinHandle<()> {
    let sets = sets.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    let state = Proxy { upstream: format!("http://{upstream}"), sets, is_strict };
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let router = Router::new().fallback(forward).with_state(state);
    tokio::spawn(async move { axum_serve(listener, router).await })
}

async fn axum_serve(listener: TcpListener, router: Router) {
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use hyper_util::service::TowerToHyperService;
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

both!(the_headers_of_a_proxy_are_checked, async |home: Arc<Home>| {
    let (port, listen) = (free_port(), format!("127.0.0.1:{}", free_port()));
    let base_url = format!("http://localhost:{port}");
    let host = format!("localhost:{port}");
    let forwarded =
        [("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "http"), ("x-forwarded-host", host.as_str())];
    let mut trusting = Behind::start(&home, &base_url, &listen, "127.0.0.0/8").await;
    for (sets, is_strict, status, detail) in [
        (&forwarded[..], false, "ok", None),
        (&[], false, "warning", Some("neither Forwarded nor X-Forwarded-For")),
        (
            &[("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https")],
            false,
            "warning",
            Some("X-Forwarded-Proto is https"),
        ),
        (
            &[("x-forwarded-for", "203.0.113.9"), ("x-forwarded-host", "inside")],
            false,
            "warning",
            Some("X-Forwarded-Host is inside"),
        ),
        (&[("x-forwarded-for", "203.0.113.9"), ("host", "127.0.0.1:1")], false, "warning", Some("Host is 127.0.0.1:1")),
        (&forwarded, true, "warning", None),
    ] {
        let running = proxy(port, &listen, sets, is_strict).await;
        let finding = trusting.finding("proxy", &[]).await;
        assert_eq!(finding["status"], status, "{sets:?}: {finding}");
        if let Some(detail) = detail {
            assert!(finding["details"][0].as_str().unwrap().contains(detail), "{finding}");
        }
        running.abort();
        let _ = running.await;
    }
    // The next one listens there.
    trusting.server.kill().await;

    // The server does not trust it.
    let _running = proxy(port, &listen, &forwarded, false).await;
    let behind = Behind::start(&home, &base_url, &listen, "").await;
    let (found, code) = behind.examine(&[]).await;
    let finding = of(&found, "proxy");
    assert_eq!((code, &finding["status"]), (Some(2), &json!("fault")), "{found:#}");
    assert!(finding["details"][0].as_str().unwrap().contains("add it to server.trusted_proxies"), "{finding}");

    // Nobody else learns how the server sees requests.
    let asked = reqwest::Client::new().get(format!("{base_url}/api/status"));
    for proof in ["1", "1.2", &format!("{}.AAAA", Clock::system().now_ms())] {
        let answer = asked.try_clone().unwrap().header("claimsmith-doctor", proof).send().await.unwrap();
        assert!(answer.status().is_success() && !answer.headers().contains_key("claimsmith-doctor-saw"));
    }
});

/// A CA, whose certificate is in a file that the doctor trusts, and a proxy that ends TLS with a certificate of it.
async fn tls_proxy(home: &Home, port: u16, upstream: &str, days: i64) -> String {
    let authority = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let root = params.self_signed(&authority).unwrap();
    let issuer = Issuer::new(params, authority);

    let end = iso8601(Clock::system().now_ms() + days * DAY_MS);
    let mut end = end[..10].split('-').map(|part| part.parse::<i32>().unwrap());
    let (year, month, day) = (end.next().unwrap(), end.next().unwrap(), end.next().unwrap());
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(year, u8::try_from(month).unwrap(), u8::try_from(day).unwrap());
    let certificate = params.signed_by(&key, &issuer).unwrap();
    let file = home.folder().join(format!("root-{port}-{days}.pem"));
    std::fs::write(&file, root.pem()).unwrap();

    let config =
        ServerConfig::builder_with_provider(default_provider().into()).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap();
    let (acceptor, upstream) = (TlsAcceptor::from(Arc::new(config)), upstream.to_owned());
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (acceptor, upstream) = (acceptor.clone(), upstream.clone());
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut onward = TcpStream::connect(&upstream).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut stream, &mut onward).await;
            });
        }
    });
    file.to_str().unwrap().to_owned()
}

both!(a_certificate_is_valid_and_does_not_expire_soon, async |home: Arc<Home>| {
    for (days, status, part) in [(90, "ok", "is valid until"), (5, "warning", "renew it"), (-5, "fault", "is refused")]
    {
        let (port, listen) = (free_port(), format!("127.0.0.1:{}", free_port()));
        let trusted = tls_proxy(&home, port, &listen, days).await;
        let behind = Behind::start(&home, &format!("https://localhost:{port}"), &listen, "").await;
        let (found, code) = behind.examine(&[("SSL_CERT_FILE", &trusted)]).await;
        let finding = of(&found, "certificate");
        assert_eq!(finding["status"], status, "{days}: {found:#}");
        assert!(finding["message"].as_str().unwrap().contains(part), "{finding}");
        // The proxy says nothing of its clients, which is a warning.
        assert_eq!(code, Some(if days < 0 { 2 } else { 1 }), "{found:#}");
        if days > 0 {
            let proxy = of(&found, "proxy");
            assert!(proxy["details"][0].as_str().unwrap().contains("TLS ends before the server"), "{proxy}");
            assert_eq!(of(&found, "clock")["status"], "ok", "{found:#}");
        }
        // A certificate that the machine does not trust.
        let finding = behind.finding("certificate", &[]).await;
        assert_eq!(finding["status"], "fault", "{finding}");
    }
});

both!(plugins_that_no_trusted_key_signed_are_found, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    let signer = PluginSigner::new();
    let key = signer.key("release@2099-01-01");
    let mut changes = vec![("CLAIMSMITH_PLUGINS_TRUST_KEYS", key.as_str()), ("CLAIMSMITH_PLUGINS_TRUST_MODE", "warn")];
    let examine = async |changes: &[(&str, &str)]| {
        let run = Process::run(BINARY, &home, changes, &["doctor", "--json", "--offline"]);
        let output: CommandOutput = run.await.into();
        serde_json::from_str::<Value>(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    };
    let source = "export const getCustomJwtClaims = async () => ({});";
    std::fs::create_dir_all(home.plugins_dir()).unwrap();
    std::fs::write(home.plugins_dir().join("stamp.js"), source).unwrap();
    let found = examine(&[]).await;
    assert!(found["checks"].as_array().unwrap().iter().all(|one| one["check"] != "signatures"), "{found:#}");
    let found = of(&examine(&changes).await, "signatures");
    assert_eq!((&found["status"], &found["details"]), (&json!("warning"), &json!(["file stamp: it is not signed"])));
    changes[1].1 = "require";
    let found = of(&examine(&changes).await, "signatures");
    assert_eq!(found["status"], "fault");
    assert_eq!(found["details"], json!(["file stamp: it is not signed; it is refused"]));
    std::fs::write(home.plugins_dir().join("stamp.js.sig"), signer.sign(source)).unwrap();
    let found = of(&examine(&changes).await, "signatures");
    assert_eq!((&found["status"], &found["details"]), (&json!("ok"), &json!([])), "{found:#}");
    let expired = signer.key("release@2020-01-01");
    changes[0].1 = &expired;
    let found = of(&examine(&changes).await, "signatures");
    assert_eq!(found["status"], "fault");
    let key = "key release: expired at 2020-01-01T00:00:00.000Z";
    assert_eq!(found["details"][1], key);
});
