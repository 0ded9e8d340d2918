//! The call that probes whether a plugin works again.

use super::state::BreakerPlace;
use super::verdict::{CallVerdict, EndedProbe};
use super::work::Work;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A call asks whether it may probe. The answer is the id of the probe.
#[derive(Debug)]
pub(crate) struct ProbeRequest {
    /// The breaker.
    pub(crate) place: BreakerPlace,
    /// `None`: another one probes.
    pub(crate) answer: oneshot::Sender<Option<String>>,
}

/// A running probe. When it is dropped without a verdict, it has told nothing.
pub(crate) struct Probe {
    work: Arc<Work>,
    ended: Option<EndedProbe>,
}

impl Probe {
    pub(super) fn new(work: Arc<Work>, place: BreakerPlace, id: String, probes: i64) -> Self {
        Self { work, ended: Some(EndedProbe { place, id, probes, verdict: CallVerdict::Unknown }) }
    }

    /// Ends it.
    pub(super) fn end(mut self, verdict: CallVerdict) {
        if let Some(ended) = self.ended.take() {
            self.work.end(EndedProbe { verdict, ..ended });
        }
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.take() {
            self.work.end(ended);
        }
    }
}
