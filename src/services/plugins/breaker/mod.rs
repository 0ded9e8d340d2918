//! Circuit breakers: a version of a plugin that keeps failing is not called for a while, and its failure policy holds at
//! once. The state is in the database, over all nodes; `deployments::breakers` writes and follows it.
//!
//! This module does not depend on storage: calls pass the gate (`gate`) by what this node last read, and are counted here
//! (`work`) until they are written. Once the time for it has come, one call at a time, over all nodes, probes whether the
//! plugin works again (`probe`, `backoff`). Calls are counted by application and by a hash of the user (`party`), so that a
//! failure which concerns few opens the breaker for those only (`decision`).

mod backoff;
mod decision;
mod gate;
mod party;
mod probe;
mod state;
mod verdict;
mod work;

pub(crate) use backoff::probe_delay_ms;
pub(crate) use decision::{Population, Scope, Tally, Thresholds, to_open, with_room};
pub(crate) use gate::{Breakers, Gate};
pub(crate) use party::{Callee, Party};
pub(crate) use probe::{Probe, ProbeRequest};
pub(crate) use state::{BreakerPlace, OpenState};
pub(crate) use verdict::{CallVerdict, EndedProbe};
pub(crate) use work::FailureCounts;
