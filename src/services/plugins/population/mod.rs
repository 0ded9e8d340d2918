//! Runs of a version of a plugin over all users: the calls, on a host of their own whose threads real calls outrank, and the
//! table of what differs. Who the users are, how far a run is and what is written is decided elsewhere
//! (`src/identity/population_runs`).

mod called;
mod http;
mod runner;
mod tally;

pub use called::Compared;
pub use runner::{Busy, PopulationRunner, PopulationVersion, RunnerError, RunnerSettings};
pub use tally::{ClaimRow, PopulationTally, RunDurations, class_name, class_of};

/// Differences that are kept of each class, however many bytes the others have.
pub const SAMPLES_PER_CLASS: usize = claimsmith_harness::MAX_SAMPLES;
/// Bytes of the differences of one run.
pub const MAX_DIFFERENCE_BYTES: i64 = 32 << 20;
/// Bytes of one difference, before it is encrypted.
pub const MAX_ONE_DIFFERENCE_BYTES: usize = 256 << 10;
