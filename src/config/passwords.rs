//! `[passwords]`: the cost of password hashing, and the passwords that nobody may choose.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::millis;

/// People's passwords.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PasswordsConfig {
    /// How long one digest should take on this machine.
    #[serde(rename = "digest_ms", with = "millis")]
    pub digest: Duration,
    /// The filter of breached passwords, which nobody may choose.
    pub breached_file: Option<PathBuf>,
}

impl Default for PasswordsConfig {
    fn default() -> Self {
        Self { digest: Duration::from_millis(50), breached_file: None }
    }
}
