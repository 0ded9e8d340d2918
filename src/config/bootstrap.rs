//! `[bootstrap]`: what the first start writes to an empty database.

use serde::{Deserialize, Serialize};

/// Initial data of an empty database.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapConfig {
    /// Whether to create demo data; `None` decides by the addresses and the database.
    pub demo: Option<bool>,
}
