//! `[emails]`: email addresses that people have.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Email addresses.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmailsConfig {
    /// Domains of throw-away addresses, one on each line.
    pub disposable_domains_file: Option<PathBuf>,
}
