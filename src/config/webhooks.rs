//! `[webhooks]`: delivery of webhooks, and of logouts to applications.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::{millis, seconds};

/// Deliveries of events to hooks, and of logouts to applications.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebhooksConfig {
    /// Whether receivers may have non-public addresses; `None` allows it only with demo data.
    pub allow_private_targets: Option<bool>,
    /// Concurrent deliveries of this server, and the same number of concurrent logouts.
    pub concurrency: usize,
    /// The polling interval for due deliveries of other servers.
    #[serde(rename = "poll_ms", with = "millis")]
    pub poll: Duration,
    /// Maximum time until a receiver has responded.
    #[serde(rename = "timeout_ms", with = "millis")]
    pub timeout: Duration,
    /// Time that a replaced signing key also signs.
    #[serde(with = "seconds")]
    pub key_overlap: Duration,
    /// Days that finished deliveries are kept.
    pub retention_days: i64,
}

impl Default for WebhooksConfig {
    fn default() -> Self {
        Self {
            allow_private_targets: None,
            concurrency: 256,
            poll: Duration::from_secs(1),
            timeout: Duration::from_secs(10),
            key_overlap: Duration::from_hours(24),
            retention_days: 30,
        }
    }
}
