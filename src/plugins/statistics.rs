//! Statistics of plugin calls since the server started: counts and durations by plugin name, over all versions.

use super::log_budget::LogBudget;
use crate::activity::Counter;
use serde::Serialize;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Counts the calls of one plugin.
#[derive(Debug, Default)]
pub(super) struct Counters {
    calls: AtomicU64,
    denied: AtomicU64,
    failed: AtomicU64,
    microseconds: AtomicU64,
    slowest: AtomicU64,
    /// The same since it was last taken.
    pub(super) recent: Counter,
    /// What it may still write, whatever its version.
    pub(super) log: LogBudget,
}

/// The calls of one plugin on this node since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, utoipa::ToSchema)]
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
}

impl Counters {
    pub(super) fn count(&self, outcome: &str, duration: Duration) {
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
        self.slowest.fetch_max(microseconds, Ordering::Relaxed);
        self.recent.count(!matches!(outcome, "ok" | "denied"), duration);
        match outcome {
            "ok" => {}
            "denied" => _ = self.denied.fetch_add(1, Ordering::Relaxed),
            _ => _ = self.failed.fetch_add(1, Ordering::Relaxed),
        }
    }

    pub(super) fn read(&self) -> Statistics {
        let calls = self.calls.load(Ordering::Relaxed);
        let milliseconds = |microseconds: u64| Duration::from_micros(microseconds).as_secs_f64() * 1000.0;
        let total = milliseconds(self.microseconds.load(Ordering::Relaxed));
        Statistics {
            calls,
            denied: self.denied.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            // No server lives to see more calls than a u32 can count each millisecond of.
            mean_ms: if calls == 0 { 0.0 } else { total / f64::from(u32::try_from(calls).unwrap_or(u32::MAX)) },
            max_ms: milliseconds(self.slowest.load(Ordering::Relaxed)),
        }
    }
}
