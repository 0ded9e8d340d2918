//! Receivers with TLS: certificates are verified, and HTTP/2 is used where offered.

use crate::BINARY;
use crate::fixtures::{all_in, deliveries, hook, role};
use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, Version};
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

/// Connections that speak TLS.
struct Tls(TcpListener, TlsAcceptor);

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            let (connection, peer) = self.0.accept().await.unwrap();
            // A client that does not like the certificate hangs up.
            if let Ok(connection) = self.1.accept(connection).await {
                return (connection, peer);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// A receiver for `localhost`: its URL, its certificate as PEM, and the versions of HTTP that it is spoken to in.
async fn receiver() -> (String, String, Arc<Mutex<Vec<Version>>>) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let mut config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/hook", listener.local_addr().unwrap().port());
    let versions: Arc<Mutex<Vec<Version>>> = Arc::default();
    let seen = Arc::clone(&versions);
    let router = Router::new().fallback(async move |request: Request| {
        seen.lock().unwrap().push(request.version());
        StatusCode::NO_CONTENT
    });
    let listener = Tls(listener, TlsAcceptor::from(Arc::new(config)));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, cert.pem(), versions)
}

both!(a_receiver_proves_who_it_is, async |home: Arc<Home>| {
    let (known, certificate, versions) = receiver().await;
    let (unknown, _, unseen) = receiver().await;
    let trusted = home.folder().join("trusted.pem");
    std::fs::write(&trusted, certificate).unwrap();
    let changes = [("SSL_CERT_FILE", trusted.to_str().unwrap())];
    let server = Process::start(BINARY, &home, &changes).await.unwrap();
    let management = server.management().await;
    // Known by another name, it is not known.
    let renamed = known.replace("localhost", "127.0.0.1");
    let good = hook(&management, &known, &["Role.Created"], json!({})).await;
    let mut bad = Vec::new();
    for url in [&unknown, &renamed] {
        bad.push(hook(&management, url, &["Role.Created"], json!({})).await);
    }
    for index in 0..3 {
        role(&management, &format!("role {index}")).await;
    }
    deliveries(&management, &good, all_in("delivered", 3)).await;
    for hook in &bad {
        let listed = deliveries(&management, hook, |listed| listed.iter().all(|one| one["attempts"] == 1)).await;
        assert!(
            listed.iter().all(|one| one["note"].as_str().unwrap().contains("certificate")),
            "{}",
            listed[0]["note"]
        );
    }
    assert_eq!(*versions.lock().unwrap(), [Version::HTTP_2; 3]);
    assert!(unseen.lock().unwrap().is_empty());
});
