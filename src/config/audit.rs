//! `[audit]`: the retention of the audit log.

use serde::{Deserialize, Serialize};

/// The audit log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditConfig {
    /// Days that entries are kept; 0 keeps them forever.
    pub retention_days: i64,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self { retention_days: 365 }
    }
}
