//! Serves one connection, HTTP/1.1 or HTTP/2.

use super::ConnectionLimits;
use super::activity::{ConnectionActivity, Verdict};
use super::counted::CountedBody;
use super::wire::Wire;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use claimsmith_services::byte_budget::{ConnectionBytes, HeldByResponse};
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Maximum bytes of a request head, and of the buffer of a connection.
const MAX_HEAD_BYTES: u32 = 64 * 1024;
/// Maximum requests in progress on one HTTP/2 connection.
const MAX_CONCURRENT_STREAMS: u32 = 100;
/// Bytes of request bodies that may arrive before the server reads them: per stream, and per connection.
const STREAM_WINDOW_BYTES: u32 = 128 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 512 * 1024;
/// Maximum bytes of a response that are queued for sending, per stream.
const MAX_SEND_BUFFER_BYTES: usize = 64 * 1024;
/// Maximum streams that a client has reset before they were accepted (rapid reset attack).
const MAX_PENDING_RESETS: usize = 20;
/// Interval of pings on an idle HTTP/2 connection.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// Timeout of the answer to a ping.
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for closing a connection without a request in progress during shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Serves a connection until it is closed, times out, or the server shuts down and no request is in progress.
pub(super) async fn answer(
    stream: TcpStream,
    (peer, bytes): (SocketAddr, Option<ConnectionBytes>),
    router: Router,
    limits: &ConnectionLimits,
    stopping: &CancellationToken,
) {
    let activity = ConnectionActivity::new();
    let io = TokioIo::new(Wire::new(stream, Arc::clone(&activity)));
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: Request<Incoming>| {
        let under_way = activity.begin();
        request.extensions_mut().insert(ConnectInfo(peer));
        if let Some(bytes) = &bytes {
            request.extensions_mut().insert(bytes.clone());
        }
        let answer = router.call(request.map(Body::new));
        async move {
            let mut response = answer.await?;
            let held = response.extensions_mut().remove::<HeldByResponse>();
            Ok::<_, std::convert::Infallible>(response.map(|body| CountedBody::new(body, under_way, held)))
        }
    });
    let builder = builder(limits);
    let mut connection = std::pin::pin!(builder.serve_connection(io, service));
    let mut ends = None;
    loop {
        let due = match (ends, activity.verdict(limits)) {
            (_, Verdict::Stuck) => return,
            (Some(end), _) if activity.rests() && end <= Instant::now() => return,
            (None, Verdict::Idle) => {
                connection.as_mut().graceful_shutdown();
                *ends.insert(Instant::now() + SHUTDOWN_TIMEOUT)
            }
            (Some(_), Verdict::Idle) => Instant::now() + SHUTDOWN_TIMEOUT,
            (_, Verdict::Fine(due)) => due,
        };
        let due = ends.filter(|_| activity.rests()).map_or(due, |end| end.min(due));
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
                return;
            }
            () = stopping.cancelled(), if ends.is_none() => {
                connection.as_mut().graceful_shutdown();
                ends = Some(Instant::now() + SHUTDOWN_TIMEOUT);
            }
            () = tokio::time::sleep_until(due) => {}
        }
    }
}

fn builder(limits: &ConnectionLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        // The caller enforces the timeout of request heads: here it would include the idle time between two requests.
        .header_read_timeout(limits.idle_timeout.max(limits.header_timeout))
        .max_buf_size(MAX_HEAD_BYTES as usize);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_CONCURRENT_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(MAX_SEND_BUFFER_BYTES)
        .max_pending_accept_reset_streams(MAX_PENDING_RESETS)
        .max_local_error_reset_streams(MAX_PENDING_RESETS)
        .max_header_list_size(MAX_HEAD_BYTES)
        .keep_alive_interval(KEEP_ALIVE_INTERVAL)
        .keep_alive_timeout(KEEP_ALIVE_TIMEOUT);
    builder
}
