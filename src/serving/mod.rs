//! Accepts and serves connections: limits on their number, timeouts, and graceful shutdown. The router answers the
//! requests.

mod activity;
mod connection;
mod counted;
mod wire;

use axum::Router;
use claimsmith_config::telemetry::CONNECTIONS_REFUSED;
use claimsmith_config::{Network, ServerConfig};
use claimsmith_services::byte_budget::ConnectionBytes;
use claimsmith_services::concurrency_limit::{ConcurrencyLimit, Permit};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Backoff after the system has no file descriptor or memory for a connection.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(250);

/// Interval of log warnings about refused connections.
const WARNING_INTERVAL: Duration = Duration::from_secs(10);

/// Maximum time without the client reading a response, which takes memory; less if the idle timeout is shorter.
const MAX_UNREAD: Duration = Duration::from_secs(60);

/// The limits of connections.
pub(crate) struct ConnectionLimits {
    /// Timeout of a request head.
    pub header_timeout: Duration,
    /// The idle timeout between two requests.
    pub idle_timeout: Duration,
    /// The timeout of a response that the client does not read.
    pub unread_timeout: Duration,
    places: Arc<Semaphore>,
    per_address: Arc<ConcurrencyLimit>,
    trusted: Vec<Network>,
}

/// The permits of a connection.
struct ConnectionPermits {
    _of_all: OwnedSemaphorePermit,
    _of_address: Option<Permit>,
}

impl ConnectionLimits {
    /// The limits of this configuration.
    #[must_use]
    pub(crate) fn of(settings: &ServerConfig) -> Self {
        Self::with(settings, settings.max_connections, settings.max_connections_per_address)
    }

    /// With other maximum numbers of connections: in total, and per address.
    #[must_use]
    pub(crate) fn with(settings: &ServerConfig, all: usize, per_address: usize) -> Self {
        Self {
            header_timeout: settings.header_timeout,
            idle_timeout: settings.idle_timeout,
            unread_timeout: settings.idle_timeout.min(MAX_UNREAD),
            places: Arc::new(Semaphore::new(all.min(Semaphore::MAX_PERMITS))),
            per_address: ConcurrencyLimit::new(per_address),
            trusted: settings.trusted_proxies.clone(),
        }
    }

    /// Takes the permits for a connection from this address. For trusted proxies, which forward many clients, the
    /// requests of each client are limited instead.
    fn take(&self, peer: IpAddr, is_proxy: bool) -> Result<ConnectionPermits, &'static str> {
        let of_all = Arc::clone(&self.places).try_acquire_owned().map_err(|_| "all")?;
        let of_address = if is_proxy { None } else { Some(self.per_address.take(peer).ok_or("address")?) };
        Ok(ConnectionPermits { _of_all: of_all, _of_address: of_address })
    }

    fn is_proxy(&self, peer: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(peer))
    }
}

/// Accepts and serves connections until shutdown; requests in progress are finished.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stopping: CancellationToken,
) {
    let limits = Arc::new(limits);
    let connections = TaskTracker::new();
    let mut said: Option<Instant> = None;
    while let Some((stream, peer)) = stopping.run_until_cancelled(accept(&listener)).await {
        let is_proxy = limits.is_proxy(peer.ip());
        match limits.take(peer.ip(), is_proxy) {
            Ok(place) => {
                // A proxy sends requests of many clients over one connection.
                let bytes = (!is_proxy).then(ConnectionBytes::default);
                let (router, limits, stopping) = (router.clone(), Arc::clone(&limits), stopping.clone());
                connections.spawn(async move {
                    connection::answer(stream, (peer, bytes), router, &limits, &stopping).await;
                    drop(place);
                });
            }
            Err(reason) => {
                metrics::counter!(CONNECTIONS_REFUSED, "reason" => reason).increment(1);
                if said.is_none_or(|said| said.elapsed() > WARNING_INTERVAL) {
                    tracing::warn!(reason, address = %peer.ip(), "connections are refused: the connection limit is reached");
                    said = Some(Instant::now());
                }
            }
        }
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// Accepts the next connection, retrying after errors.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Responses are short, and written at once.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "TCP_NODELAY cannot be set");
                }
                return (stream, peer);
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_BACKOFF).await;
            }
        }
    }
}

/// Whether the error is the client's, which went away before it was accepted.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
