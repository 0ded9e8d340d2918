//! Signatures of plugins: trusted keys, the formats in which cosign writes a signature with a key, and whether one
//! of the keys made it for these bytes. There is no network here, so no transparency log is asked.

mod format;
mod key;
mod key_list;
mod registry;
mod signature;
mod verify;

pub use format::{FormatError, MAX_SIGNATURE_BYTES};
pub use key::{KeyError, TrustedKey};
pub use key_list::{MAX_KEYS, TrustedKeys};
pub use signature::Signature;
pub use verify::{Distrust, verify};

use serde::{Deserialize, Serialize};

/// What a signature that is missing or wrong means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrustMode {
    /// Nothing. Who signed is still shown, where a key is known.
    #[default]
    Off,
    /// It is logged and shown, and the plugin runs.
    Warn,
    /// The plugin is refused.
    Require,
}

impl TrustMode {
    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Require => "require",
        }
    }
}

#[cfg(test)]
mod tests;
