//! `[bootstrap]`: what the first start writes to an empty database.

use serde::{Deserialize, Serialize};

/// What an empty database begins with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapConfig {
    /// Whether demo data are wanted; `None` leaves it to the addresses and the database.
    pub demo: Option<bool>,
}
