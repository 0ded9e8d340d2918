//! Headers with secrets over a real connection: another server gets the secret, and the plugin, its log and its token never
//! have it.

use crate::cli::{BINARY, claims, plugin, plugin_with, write};
use axum::Router;
use axum::extract::Request;
use axum::http::header::AUTHORIZATION;
use axum::serve::Listener;
use claimsmith_test_support::{Home, Process, both};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;

const SECRET: &str = "sk-live/4711-abc";

/// Asks the server of its settings, and tells what it says, and what variables there are.
const ASKS: &str = r#"
export const getCustomJwtClaims = async ({ environmentVariables }) => {
  const { URL } = environmentVariables;
  const said = [];
  for (const url of [URL, URL.replace("https:", "http:")]) {
    try {
      said.push(await (await fetch(url)).text());
    } catch (error) {
      said.push(error.message);
    }
  }
  console.log(said[0]);
  return { said, variables: Object.keys(environmentVariables) };
};
"#;

/// Connections that speak TLS.
struct Tls(TcpListener, TlsAcceptor);

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            let (connection, peer) = self.0.accept().await.unwrap();
            if let Ok(connection) = self.1.accept(connection).await {
                return (connection, peer);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// A server that says what it was sent as `authorization`: its host, its certificate as PEM, and what that was.
async fn echo() -> (String, String, Arc<Mutex<Vec<String>>>) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = format!("localhost:{}", listener.local_addr().unwrap().port());
    let sent: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&sent);
    let router = Router::new().fallback(async move |request: Request| {
        let value = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or("nothing");
        seen.lock().unwrap().push(value.to_owned());
        json!({ "sent": value }).to_string()
    });
    let listener = Tls(listener, TlsAcceptor::from(Arc::new(config)));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (host, cert.pem(), sent)
}

both!(a_secret_of_a_header_is_sent_and_never_seen, async |home: Arc<Home>| {
    let (host, certificate, sent) = echo().await;
    let trusted = home.folder().join("trusted.pem");
    std::fs::write(&trusted, certificate).unwrap();
    let changes = [("SSL_CERT_FILE", trusted.to_str().unwrap()), ("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")];
    let server = Process::start(BINARY, &home, &changes).await.unwrap();
    write(&home, "asks.js", ASKS);
    let settings = format!(
        "[environment]\nURL = \"https://{host}/\"\n[capabilities.http]\nhosts = [\"{host}\"]\nplain = true\n\
         [capabilities.http.headers.\"{host}\"]\nauthorization = \"Bearer {{secret:API_KEY}}\"\n"
    );
    write(&home, "asks.toml", &settings);
    plugin(&home, &["deploy", "asks.js"]).await.ok();
    plugin(&home, &["grant", "asks", "--declared"]).await.ok();

    let told = claims(&server).await;
    assert!(
        told["said"][0].as_str().unwrap().contains("the secret `API_KEY` of the header `authorization` is not set")
    );
    plugin_with(&home, &[], &["secret", "set", "asks", "API_KEY"], SECRET).await.ok();
    let told = claims(&server).await;
    assert_eq!(told["said"][0], json!({ "sent": "Bearer ***" }).to_string());
    assert!(told["said"][1].as_str().unwrap().contains("sent over https only"), "{}", told["said"][1]);
    assert_eq!(told["variables"], json!(["URL"]));
    assert_eq!(*sent.lock().unwrap(), [format!("Bearer {SECRET}")]);

    let management = server.management().await;
    let shown = management.get("/api/plugins/asks").await.expect(200).body;
    let granted = &shown["deployment"]["http"]["granted"];
    assert_eq!((&granted["plain"], granted.get("headers")), (&json!(true), None));
    assert_eq!(
        shown["deployment"]["http"]["declared"]["headers"],
        json!({ host.as_str(): { "authorization": "Bearer {secret:API_KEY}" } })
    );
    let logs = management.get("/api/plugins/asks/logs").await.expect(200).body.to_string();
    assert!(!logs.contains("4711") && !shown.to_string().contains("4711"), "{logs}");
    let refused = json!({ "hosts": [host], "headers": { host.as_str(): { "authorization": "{secret:API_KEY}" } } });
    management.put("/api/plugins/asks/grants/http", refused).await.expect(400);
});
