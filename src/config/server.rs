//! `[server]`: listen address, base URL, proxies, connection limits and timeouts.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use rustix::process::{Resource, getrlimit};
use serde::{Deserialize, Serialize};

use super::units::{mib, seconds};
use super::{BaseUrl, HttpHeaderName, Network};

/// Addresses, limits and timeouts of the HTTP server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// Listen address; port 0 picks a free port.
    pub listen: SocketAddr,
    /// Listen address of the Prometheus metrics; unless set, its port is 0 when that of `listen` is 0.
    pub metrics_listen: SocketAddr,
    /// The public URL of the server.
    pub base_url: BaseUrl,
    /// Proxies whose `Forwarded` and `X-Forwarded-For` headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Header in which trusted proxies send the country of the client.
    pub country_header: Option<HttpHeaderName>,
    /// Maximum time of a request.
    #[serde(with = "seconds")]
    pub request_timeout: Duration,
    /// Maximum time to receive the head of a request.
    #[serde(with = "seconds")]
    pub header_timeout: Duration,
    /// Maximum time to receive the body of a request, including uploads.
    #[serde(with = "seconds")]
    pub body_timeout: Duration,
    /// Maximum time without receiving a byte of the body of a request.
    #[serde(with = "seconds")]
    pub body_idle_timeout: Duration,
    /// Time that an idle connection is kept open.
    #[serde(with = "seconds")]
    pub idle_timeout: Duration,
    /// Maximum number of open connections.
    pub max_connections: usize,
    /// Maximum number of open connections of one client address, and of its requests in progress.
    pub max_connections_per_address: usize,
    /// Maximum memory of request bodies being read and of responses that clients have not read yet.
    #[serde(rename = "max_in_flight_mib", with = "mib")]
    pub max_bytes_in_flight: usize,
    /// Time for requests in flight to finish at shutdown.
    #[serde(with = "seconds")]
    pub shutdown_grace: Duration,
}

impl Default for ServerConfig {
    fn default() -> Self {
        let max_connections = max_connections();
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 3001)),
            metrics_listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 9464)),
            base_url: BaseUrl::default(),
            trusted_proxies: Vec::new(),
            country_header: None,
            request_timeout: Duration::from_secs(30),
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(300),
            body_idle_timeout: Duration::from_secs(15),
            // Longer than load balancers keep their connections (60 s), so that none sends into one that was closed.
            idle_timeout: Duration::from_secs(75),
            max_connections,
            // Enough for a busy client, while at least three of them fit.
            max_connections_per_address: (max_connections / 3).clamp(1, 256),
            // A client address gets a quarter: enough for all its pages in progress, which are compressed while they
            // are sent.
            max_bytes_in_flight: 256 << 20,
            // Less than the 30 seconds that orchestrators wait before they kill.
            shutdown_grace: Duration::from_secs(20),
        }
    }
}

/// Three quarters of the file descriptor limit of the process: database, plugins and webhooks need some as well.
fn max_connections() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    (descriptors.unwrap_or(usize::MAX) / 4 * 3).clamp(1, 10_000)
}
