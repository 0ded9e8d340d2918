//! `[emails]`: rules for the email addresses of users.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Email addresses.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmailsConfig {
    /// List of disposable email domains, one per line.
    pub disposable_domains_file: Option<PathBuf>,
}
