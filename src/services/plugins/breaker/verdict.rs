//! What a call says of its plugin.

use super::state::BreakerPlace;

/// What a call says of the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallVerdict {
    /// It answers; a denial is an answer.
    Works,
    /// It fails.
    Fails {
        /// A word for it.
        outcome: &'static str,
        /// What it said, in one line and without secrets.
        error: String,
    },
    /// Nothing: it was not called, had less time than its own, or the caller went away.
    Unknown,
}

/// A probe that has ended.
#[derive(Debug)]
pub(crate) struct EndedProbe {
    /// The breaker.
    pub(crate) place: BreakerPlace,
    /// The probe.
    pub(crate) id: String,
    /// How many have failed before it.
    pub(crate) probes: i64,
    /// What it told.
    pub(crate) verdict: CallVerdict,
}
