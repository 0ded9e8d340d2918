//! The states of published signing keys.

use serde::{Deserialize, Serialize};

/// The state of a published key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyStatus {
    /// It will sign.
    Next,
    /// It signs.
    Current,
    /// It no longer signs, but its tokens are still valid.
    Previous,
}
