//! `[server]`: where the server listens, how clients reach it, and how long things may take.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::seconds;
use super::{BaseUrl, Network};

/// Addresses and times of the HTTP server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
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
    /// Time that work in flight gets to finish at shutdown.
    #[serde(with = "seconds")]
    pub shutdown_grace: Duration,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 3001)),
            metrics_listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 9464)),
            base_url: BaseUrl::default(),
            trusted_proxies: Vec::new(),
            request_timeout: Duration::from_secs(30),
            // Under the thirty seconds that orchestrators wait before they kill.
            shutdown_grace: Duration::from_secs(20),
        }
    }
}
