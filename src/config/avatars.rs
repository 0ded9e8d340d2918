//! `[avatars]`: pictures that users upload.

use serde::{Deserialize, Serialize};

use super::units::kib;

/// Uploaded profile pictures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AvatarsConfig {
    /// Maximum size of a file, in bytes.
    #[serde(rename = "max_kib", with = "kib")]
    pub max_size: usize,
}

impl Default for AvatarsConfig {
    fn default() -> Self {
        Self { max_size: 500 << 10 }
    }
}
