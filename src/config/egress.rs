//! `[egress]`: to which addresses the server may send requests.

use serde::{Deserialize, Serialize};

use super::Network;

/// Requests to other servers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EgressConfig {
    /// Networks that are not public and may be entered all the same.
    pub allowed_networks: Vec<Network>,
}
