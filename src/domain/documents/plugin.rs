//! The state of a plugin.

use serde::{Deserialize, Serialize};

/// Whether a plugin serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It serves.
    Active,
    /// Its settings say that it is not to run, or no version of it is active.
    Disabled,
    /// No version of it has loaded.
    Failed,
}
