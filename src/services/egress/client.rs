//! The HTTP client below `Egress`: its connections, and the limits of a response before its head has arrived.

use super::connection::Connector;
use super::guard::Guard;
use super::tls;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// The timeout for establishing a connection, if the request itself has more time.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long idle connections to a server are kept open, and how many of them.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_IDLE_CONNECTIONS: usize = 32;

/// After how long without a frame an HTTP/2 connection with an unanswered request is tested by a PING, and the timeout
/// of its answer. Otherwise a dead connection would be used for as long as there are requests.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// Bytes per read, and the maximum size of a response's head. The library parses everything that has arrived before
/// another task of the same thread runs, so this bounds how long the other tasks wait.
const READ_BUFFER_BYTES: usize = 16 * 1024;

/// The maximum number of interim responses (1xx, RFC 9110 section 15.2) before the final one. The library skips any
/// number of them, and reports only those of HTTP/1.1; those of HTTP/2 count as frames (`connection`).
const MAX_INTERIM_RESPONSES: usize = 16;

/// The client with the connections that it keeps open.
pub(super) type HttpClient = Client<Connector, Full<Bytes>>;

/// Why a request got no response.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClientError {
    /// The library's error.
    #[error(transparent)]
    Library(#[from] legacy::Error),
    /// The server sends interim responses only.
    #[error("more than {MAX_INTERIM_RESPONSES} interim responses (1xx)")]
    Interim,
}

/// A client whose connections are checked by the guard. Reads the certificates of the machine's authorities from files.
pub(super) fn client(guard: Guard) -> Result<HttpClient, String> {
    let mut connector = HttpConnector::new_with_resolver(guard);
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls::configuration(None)?)
        .https_or_http()
        .enable_all_versions()
        .wrap_connector(connector);
    Ok(Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
        .timer(TokioTimer::new())
        .http1_max_buf_size(READ_BUFFER_BYTES)
        .http2_max_header_list_size(u32::try_from(READ_BUFFER_BYTES).unwrap_or(u32::MAX))
        .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
        .http2_keep_alive_timeout(KEEP_ALIVE_TIMEOUT)
        .build(Connector(connector)))
}

/// Sends a request and waits for the head of the final response.
pub(super) async fn send(
    client: &HttpClient,
    mut request: Request<Full<Bytes>>,
) -> Result<Response<Incoming>, ClientError> {
    let (interim, exceeded) = (AtomicUsize::new(0), Arc::new(Notify::new()));
    let told = Arc::clone(&exceeded);
    hyper::ext::on_informational(&mut request, move |_| {
        if interim.fetch_add(1, Ordering::Relaxed) == MAX_INTERIM_RESPONSES {
            told.notify_one();
        }
    });
    // Dropping the request closes its connection.
    tokio::select! {
        response = client.request(request) => Ok(response?),
        () = exceeded.notified() => Err(ClientError::Interim),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    const INTERIM: &str = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n";
    const FINAL: &str = "HTTP/1.1 204 No Content\r\n\r\n";

    /// A server that responds with this text as often as its client reads it.
    async fn responds(text: String, times: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            assert!(connection.read(&mut request).await.unwrap() > 0);
            for _ in 0..times {
                if connection.write_all(text.as_bytes()).await.is_err() {
                    return;
                }
            }
            // Open until the client has closed it.
            let _ = connection.read_to_end(&mut request).await;
        });
        address
    }

    async fn status(address: SocketAddr) -> Result<u16, String> {
        let client = client(Guard::open()).unwrap();
        let mut request = Request::new(Full::default());
        *request.uri_mut() = format!("http://{address}/").parse().unwrap();
        send(&client, request).await.map(|response| response.status().as_u16()).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn interim_responses_are_skipped_up_to_a_limit() {
        let many = |count| INTERIM.repeat(count) + FINAL;
        assert_eq!(status(responds(many(MAX_INTERIM_RESPONSES), 1).await).await, Ok(204));
        let refused = Err("more than 16 interim responses (1xx)".to_owned());
        let without_end = responds(INTERIM.repeat(1_000), 1_000_000).await;
        assert_eq!(status(without_end).await, refused);
    }

    #[tokio::test]
    async fn the_head_of_a_response_is_bounded() {
        let long = format!("HTTP/1.1 204 No Content\r\nx: {}\r\n\r\n", "x".repeat(READ_BUFFER_BYTES));
        assert!(status(responds(long, 1).await).await.is_err());
    }
}
