//! The result of one call: its answer or error, its log and its cost.

use crate::{CacheCounts, CallError, HttpCounts};
use serde_json::{Map, Value};
use std::time::Duration;

/// The result of one call, whether it succeeded or not. `A` is the answer: claims, a transformed delivery, or a
/// composed message.
#[derive(Debug)]
pub struct Call<A = Map<String, Value>> {
    /// What it answered, without what it cannot set, or why there is nothing.
    pub result: Result<A, CallError>,
    /// Reserved claims or headers that the plugin tried to set, in its own order. Each also has a line in `logs`.
    pub dropped: Vec<String>,
    /// What the plugin wrote, oldest first.
    pub logs: Vec<LogLine>,
    /// Wall-clock time from its start to the answer, without its time in the queue.
    pub duration: Duration,
    /// Most bytes of linear memory that were in use at one time.
    pub peak_memory: usize,
    /// Instructions that the guest executed, where the host counts them
    /// ([`HostOptions::metered`](crate::HostOptions::metered)).
    pub instructions: Option<u64>,
    /// How its requests to other servers ended.
    pub http: HttpCounts,
    /// What it did with its cache.
    pub cache: CacheCounts,
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
    /// For information.
    Info,
    /// Something unexpected.
    Warn,
    /// Something failed.
    Error,
}
