//! `[server]`: listen address, base URL, proxies, connection limits and timeouts.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use rustix::process::{Resource, getrlimit};
use serde::{Deserialize, Serialize};

use super::units::{mib, seconds};
use super::{BaseUrl, Network};

/// Addresses and times of the HTTP server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// Address to serve on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Address of the Prometheus metrics; port 0 when that of `listen` is 0 and nobody set this one.
    pub metrics_listen: SocketAddr,
    /// How clients reach the server.
    pub base_url: BaseUrl,
    /// Peers whose `Forwarded` and `X-Forwarded-For` are believed.
    pub trusted_proxies: Vec<Network>,
    /// Time that a request may take.
    #[serde(with = "seconds")]
    pub request_timeout: Duration,
    /// Time that the head of a request may take.
    #[serde(with = "seconds")]
    pub header_timeout: Duration,
    /// Time that the body of a request may take, an upload's too.
    #[serde(with = "seconds")]
    pub body_timeout: Duration,
    /// Time that the body of a request may take without a byte of it coming.
    #[serde(with = "seconds")]
    pub body_idle_timeout: Duration,
    /// Time that a connection is kept open between two requests.
    #[serde(with = "seconds")]
    pub idle_timeout: Duration,
    /// Connections that are open at once.
    pub max_connections: usize,
    /// Of these, those of one client address, and its requests in progress.
    pub max_connections_per_address: usize,
    /// Memory of request bodies that are being read, and of responses that their clients have not read.
    #[serde(rename = "max_in_flight_mib", with = "mib")]
    pub max_bytes_in_flight: usize,
    /// Time that work in flight gets to finish at shutdown.
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
            request_timeout: Duration::from_secs(30),
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(300),
            body_idle_timeout: Duration::from_secs(15),
            idle_timeout: Duration::from_secs(60),
            max_connections,
            // Enough for a busy client, and at least three of them.
            max_connections_per_address: (max_connections / 3).clamp(1, 256),
            // An address gets a quarter: all pages that it may have in progress, compressed while they are sent.
            max_bytes_in_flight: 256 << 20,
            // Under the thirty seconds that orchestrators wait before they kill.
            shutdown_grace: Duration::from_secs(20),
        }
    }
}

/// Three quarters of the descriptors that the process may have: database, plugins and webhooks need some as well.
fn max_connections() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    (descriptors.unwrap_or(usize::MAX) / 4 * 3).clamp(1, 10_000)
}
