//! What is said of plugins: where they come from, whether they serve, and their calls.

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

impl State {
    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::Failed => "failed",
        }
    }
}

/// Where a plugin comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A file of the plugin folder.
    Folder,
    /// Uploaded, and kept in the database.
    Store,
}

/// What one call may use.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusLimits {
    /// Wall-clock milliseconds.
    pub deadline_ms: u64,
    /// MiB of linear memory.
    pub memory_mib: usize,
    /// KiB of the JSON answer.
    pub output_kib: usize,
}

/// The calls of one plugin on this node since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    /// All calls.
    pub calls: u64,
    /// Those that said no.
    pub denied: u64,
    /// Those that failed.
    pub failed: u64,
    /// Mean wall-clock milliseconds of a call.
    pub mean_ms: f64,
    /// Wall-clock milliseconds of the slowest call.
    pub max_ms: f64,
    /// Wall-clock microseconds that half of the calls did not exceed, to within an eighth; null before the first one.
    pub p50_us: Option<u64>,
    /// The same of 99 in a hundred.
    pub p99_us: Option<u64>,
}
