//! `[egress]`: the addresses that the server may send requests to.

use serde::{Deserialize, Serialize};

use super::Network;

/// Requests to other servers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EgressConfig {
    /// Non-public networks that requests may be sent to.
    pub allowed_networks: Vec<Network>,
}
