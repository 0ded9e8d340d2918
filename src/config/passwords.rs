//! `[passwords]`: the cost of password hashing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::millis;

/// Digests of people's passwords.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Passwords {
    /// How long one digest should take on this machine.
    #[serde(rename = "digest_ms", with = "millis")]
    pub digest: Duration,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { digest: Duration::from_millis(50) }
    }
}
