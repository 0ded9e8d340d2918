//! What came of one call.

use crate::{CallError, HttpCounts};
use serde_json::{Map, Value};
use std::time::Duration;

/// What came of one call, whether it worked or not. `A` is what such a plugin answers: claims, or what it made of a
/// delivery.
#[derive(Debug)]
pub struct Call<A = Map<String, Value>> {
    /// What it answered, without what it cannot set, or why there is nothing.
    pub result: Result<A, CallError>,
    /// Reserved claims or headers that the plugin tried to set, in its own order. Each also has a line in `logs`.
    pub dropped: Vec<String>,
    /// What the plugin wrote, oldest first.
    pub logs: Vec<LogLine>,
    /// Wall-clock time from when it began to the answer, without what it waited for its turn.
    pub duration: Duration,
    /// Most bytes of linear memory that were in use at one time.
    pub peak_memory: usize,
    /// Instructions that the guest executed, where the host counts them
    /// ([`HostOptions::metered`](crate::HostOptions::metered)).
    pub instructions: Option<u64>,
    /// What came of its requests to other servers.
    pub http: HttpCounts,
}

/// One line of a plugin's log.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LogLine {
    /// How much it matters.
    pub level: Level,
    /// The text as written.
    pub message: String,
}

/// How much a log line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For the author while writing.
    Debug,
    /// Said in passing.
    Info,
    /// Worth a look.
    Warn,
    /// Something failed.
    Error,
}
