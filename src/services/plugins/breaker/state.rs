//! An open breaker, as this node last read it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a breaker is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BreakerPlace {
    /// The plugin.
    pub(crate) plugin: Arc<str>,
    /// `sha256:…` of the version.
    pub(crate) digest: Arc<str>,
    /// The application or hook; empty for all.
    pub(crate) caller: String,
    /// A hash of the user; empty for all.
    pub(crate) subject: String,
}

/// An open breaker.
#[derive(Debug)]
pub(crate) struct OpenState {
    /// What it is about.
    pub(crate) place: BreakerPlace,
    /// A word for the last failure.
    pub(crate) outcome: String,
    /// What it said, in one line and without secrets.
    pub(crate) error: String,
    /// Unix milliseconds.
    pub(crate) opened_at: i64,
    /// When the next call may probe, Unix milliseconds.
    pub(crate) probe_at: i64,
    /// How many probes have failed.
    pub(crate) probes: i64,
    /// When the running probe counts as lost, Unix milliseconds.
    pub(crate) probe_until: Option<i64>,
    /// Whether a call of this node asks for the next probe.
    pub(super) asked: AtomicBool,
}

impl OpenState {
    /// As it was read.
    pub(crate) fn new(
        place: BreakerPlace,
        (outcome, error): (String, String),
        (opened_at, probe_at): (i64, i64),
        (probes, probe_until): (i64, Option<i64>),
    ) -> Self {
        Self { place, outcome, error, opened_at, probe_at, probes, probe_until, asked: AtomicBool::new(false) }
    }

    /// Whether the next call may probe, or one does.
    pub(super) fn is_half_open(&self, now: i64) -> bool {
        now >= self.probe_at
    }
}
