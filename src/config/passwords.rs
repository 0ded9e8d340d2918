//! `[passwords]`: the cost of password hashing, and the list of breached passwords.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::millis;

/// Passwords of users.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PasswordsConfig {
    /// Target time of one password hash on this machine.
    #[serde(rename = "digest_ms", with = "millis")]
    pub digest: Duration,
    /// The filter of breached passwords, which users cannot choose.
    pub breached_file: Option<PathBuf>,
}

impl Default for PasswordsConfig {
    fn default() -> Self {
        Self { digest: Duration::from_millis(50), breached_file: None }
    }
}
