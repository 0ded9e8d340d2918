//! Rollouts: a version of a plugin beside the active one, as a shadow or as a canary.
//!
//! A canary answers for its share (`super::affinity`) through the normal path. A shadow is called after the response
//! (`shadow`), with the HTTP answers of the real call (`super::tape`), and its answers are compared (`compare`) and
//! dropped, but for a few samples (`samples`). What a node counts (`tally`) adds up in the database to the results
//! (`results`), on which the rules decide (`rules`).

mod compare;
mod results;
mod rules;
mod samples;
mod shadow;
mod tally;

pub use results::{ClaimResults, RolloutResults, SideResults};
pub use rules::{JudgedRollout, RolloutVerdict, judge};
pub use shadow::LOG_SUFFIX as SHADOW_LOG_SUFFIX;
pub use tally::{DifferenceSample, MAX_SAMPLES, TakenRollout};

pub(super) use compare::members_of;
pub(super) use shadow::ShadowCall;
pub(super) use tally::Tally;

use super::affinity::Affinity;
use super::metrics;
use super::registry::{RegistryEntry, RegistrySnapshot, ServingRollout, ServingVersion};
use super::tape::Tape;
use super::trust::GivenSignature;
use claimsmith_domain::documents::rollout::{Audience, RolloutMode};
use claimsmith_runtime::{HostOptions, HttpCapability, Source};
use shadow::Shadow;
use std::sync::Arc;
use std::time::Duration;
use tally::Side;

/// The name under which it is counted that a version does not load.
pub(super) const NOT_LOADED: &str = "loadFailed";
/// The name under which it is counted that no trusted key signed a version, and one must have.
pub(super) const NOT_TRUSTED: &str = "notTrusted";

/// A rollout of a stored plugin, to be loaded beside its active version.
#[derive(Debug)]
pub struct RolloutPlan {
    /// The rollout.
    pub id: String,
    /// Its mode.
    pub mode: RolloutMode,
    /// Percent of users.
    pub share: u8,
    /// Who is chosen whatever the share.
    pub audience: Audience,
    /// The source of its version.
    pub source: Source,
    /// The number of its version.
    pub number: i64,
    /// The signature of its source, not verified.
    pub signature: GivenSignature,
    /// What this version may send by HTTP: declared by it, and granted.
    pub http: Option<HttpCapability>,
}

/// The rollouts of this node: their counts, and the queue of shadows.
pub(super) struct Rollouts {
    tally: Arc<Tally>,
    shadow: Shadow,
}

impl Rollouts {
    /// Starts the worker of shadows, which ends when this is dropped.
    pub(super) fn start(options: HostOptions) -> Self {
        let tally = Arc::<Tally>::default();
        Self { shadow: Shadow::start(options, Arc::clone(&tally)), tally }
    }

    pub(super) fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    /// The tape for a call of this version that a shadow repeats; `None` if none does, or the queue is full, so that it is
    /// dropped. Only calls of the active version are repeated.
    pub(super) fn tape(
        &self,
        entry: &RegistryEntry,
        version: Option<&ServingVersion>,
        who: &Affinity<'_>,
    ) -> Option<Arc<Tape>> {
        let rollout = entry.rollout.as_ref().filter(|rollout| rollout.mode == RolloutMode::Shadow)?;
        let is_repeated = entry.is_active(version?) && rollout.chooses(&entry.name, who);
        if is_repeated && !self.shadow.has_room() {
            self.tally.count(&rollout.id, "dropped");
            return None;
        }
        is_repeated.then(Arc::default)
    }

    /// Counts a call that the server made. One of the previous version, in place of the active one, says nothing.
    pub(super) fn count(
        &self,
        entry: &RegistryEntry,
        version: Option<&ServingVersion>,
        outcome: &'static str,
        duration: Duration,
    ) {
        let Some((rollout, side)) = side_of(entry, version) else { return };
        self.tally.call(&rollout.id, side, outcome, duration);
        metrics::rollout_call(&entry.name, side.as_str(), outcome, duration);
    }

    /// Counts a call that was not made, since the breaker of its version is open. It is counted apart from those that
    /// failed; while the breaker is open, rules do not promote the version (`rules`).
    pub(super) fn count_spared(&self, entry: &RegistryEntry, version: Option<&ServingVersion>) {
        metrics::not_called(&entry.name);
        if let Some((rollout, side)) = side_of(entry, version) {
            self.tally.spared(&rollout.id, side);
        }
    }

    /// Hands a call over to the shadow, or counts it as dropped, if the queue has no room for it.
    pub(super) fn repeat(&self, call: ShadowCall) {
        let rollout = call.entry.rollout.as_ref().map(|rollout| Arc::clone(&rollout.id));
        if !self.shadow.offer(call)
            && let Some(rollout) = rollout
        {
            self.tally.count(&rollout, "dropped");
        }
    }
}

/// The rollout of a plugin, and which of its two versions this one is.
fn side_of<'e>(entry: &'e RegistryEntry, version: Option<&ServingVersion>) -> Option<(&'e ServingRollout, Side)> {
    let (rollout, version) = entry.rollout.as_ref().zip(version)?;
    if std::ptr::eq(version, &raw const rollout.candidate) {
        Some((rollout, Side::Candidate))
    } else {
        entry.is_active(version).then_some((rollout, Side::Active))
    }
}

/// The rollouts of a snapshot.
pub(super) fn live(snapshot: &RegistrySnapshot) -> Vec<Arc<str>> {
    snapshot.entries.iter().filter_map(|entry| Some(Arc::clone(&entry.rollout.as_ref()?.id))).collect()
}
