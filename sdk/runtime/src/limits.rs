//! The limits of one call: time, memory, answer and log.

use std::time::Duration;

/// The limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// Wall-clock time from when it begins to the answer; waiting for its turn is not counted.
    pub deadline: Duration,
    /// Bytes of linear memory, all memories of the instance together.
    pub memory: usize,
    /// Bytes of the JSON answer.
    pub output: usize,
    /// Bytes of log lines that are kept; a longer log is truncated, and says so.
    pub log: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(1), memory: 64 << 20, output: 16 << 10, log: 64 << 10 }
    }
}
