//! What a call of a plugin comes to: the active version is called, the previous one in its place, or none, since its
//! breaker is open.

use super::breaker::{Breakers, CallVerdict, Callee, Gate, OpenState, Party, Probe};
use super::registry::{RegistryEntry, ServingVersion};
use super::standby::Standbys;
use claimsmith_runtime::{CallError, Kind};
use std::ops::Deref;
use std::sync::Arc;

/// Decides about calls.
pub(super) struct Guard {
    pub(super) breakers: Breakers,
    pub(super) standbys: Standbys,
}

/// What a call comes to.
pub(super) enum Turn<'v> {
    /// A version is called.
    Called(Serving<'v>, Option<Probe>),
    /// None is.
    Open(Arc<OpenState>),
    /// None has loaded.
    Unloaded,
}

/// The version that is called.
pub(super) enum Serving<'v> {
    /// The one that was asked for: the active one, or that of a rollout.
    Asked(&'v ServingVersion),
    /// The one before it.
    Previous(Arc<ServingVersion>),
}

/// The result of a call.
pub(super) struct Outcome<'o> {
    /// Why it did not succeed.
    pub(super) error: Option<&'o CallError>,
    /// The same in one line, without secrets.
    pub(super) line: Option<&'o str>,
    /// Whether it had as much time as its limits say: other plugins may have used it.
    pub(super) had_time: bool,
}

impl Deref for Serving<'_> {
    type Target = ServingVersion;

    fn deref(&self) -> &ServingVersion {
        match self {
            Self::Asked(version) => version,
            Self::Previous(version) => version,
        }
    }
}

impl<'v> Turn<'v> {
    /// Of a preview: no breaker is asked.
    pub(super) fn of_preview(version: Option<&'v ServingVersion>) -> Self {
        version.map_or(Self::Unloaded, |version| Self::Called(Serving::Asked(version), None))
    }

    /// The version that is called.
    pub(super) fn version(&self) -> Option<&ServingVersion> {
        match self {
            Self::Called(version, _) => Some(version),
            Self::Open(_) | Self::Unloaded => None,
        }
    }

    /// Why none is.
    pub(super) fn refusal(&self) -> CallError {
        CallError::Unavailable(match self {
            // Without the error's text: it is from a call for another user, and this error is shown for this one.
            Self::Open(state) => format!("its circuit breaker is open, since it kept failing ({})", state.outcome),
            Self::Called(..) | Self::Unloaded => "it has not loaded since the server started".to_owned(),
        })
    }
}

impl Guard {
    /// What a call of this version of a plugin comes to, on behalf of somebody.
    pub(super) async fn turn<'v>(
        &self,
        entry: &RegistryEntry,
        version: Option<&'v ServingVersion>,
        party: &Party<'_>,
    ) -> Turn<'v> {
        let Some(version) = version else { return Turn::Unloaded };
        let gate = self.breakers.pass(&callee(entry, version), party).await;
        let state = match gate {
            Gate::Called(probe) => return Turn::Called(Serving::Asked(version), probe),
            Gate::Open(state) => state,
        };
        // Only in place of the active version: what a version in a rollout does not answer is part of its results.
        let standby = if entry.is_active(version) { self.standbys.find(entry, version) } else { None };
        let Some(previous) = standby else { return Turn::Open(state) };
        let gate = self.breakers.pass(&callee(entry, &previous), party).await;
        match gate {
            Gate::Called(probe) => Turn::Called(Serving::Previous(previous), probe),
            Gate::Open(state) => Turn::Open(state),
        }
    }

    /// Counts the result.
    pub(super) fn record(&self, entry: &RegistryEntry, turn: Turn<'_>, party: &Party<'_>, outcome: &Outcome<'_>) {
        if let Turn::Called(version, probe) = turn {
            self.breakers.record(&callee(entry, &version), party, probe, outcome.verdict());
        }
    }
}

impl Outcome<'_> {
    /// Overload is no failure of a plugin, and a denial is an answer.
    fn verdict(&self) -> CallVerdict {
        match self.error {
            None | Some(CallError::Denied(_)) => CallVerdict::Works,
            Some(CallError::Unavailable(_)) => CallVerdict::Unknown,
            Some(CallError::TimedOut(_)) if !self.had_time => CallVerdict::Unknown,
            Some(error) => {
                CallVerdict::Fails { outcome: error.outcome(), error: self.line.unwrap_or_default().to_owned() }
            }
        }
    }
}

fn callee<'c>(entry: &'c RegistryEntry, version: &'c ServingVersion) -> Callee<'c> {
    let (kind, manifest) = (version.plugin.kind(), &entry.manifest);
    let named = match kind {
        Kind::Claims => &manifest.applications,
        Kind::WebhookTransform => &manifest.hooks,
        Kind::Message => &None,
    };
    let callers = named.as_ref().map(Vec::len);
    Callee { plugin: &entry.name, digest: &version.digest, kind, settings: manifest.breaker, callers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::breaker::BreakerPlace;
    use std::time::Duration;

    #[test]
    fn what_an_open_breaker_says_is_not_what_the_call_of_somebody_else_said() {
        let (plugin, digest) = ("boom".into(), "sha256:1".into());
        let place = BreakerPlace { plugin, digest, caller: String::new(), subject: String::new() };
        let failed = ("failed".to_owned(), "ada@example.com has no plan".to_owned());
        let state = OpenState::new(place, failed, (0, 1_000), (0, None));
        let refusal = Turn::Open(Arc::new(state)).refusal().to_string();
        assert!(refusal.contains("(failed)") && !refusal.contains("ada"), "{refusal}");
    }

    #[test]
    fn denials_and_overload_are_no_failures() {
        let verdict = |error: Option<CallError>, had_time| {
            Outcome { error: error.as_ref(), line: Some("line"), had_time }.verdict()
        };
        let fails = |outcome| CallVerdict::Fails { outcome, error: "line".to_owned() };
        let text = || "x".to_owned();
        assert_eq!(verdict(None, true), CallVerdict::Works);
        assert_eq!(verdict(Some(CallError::Denied(text())), true), CallVerdict::Works);
        assert_eq!(verdict(Some(CallError::Unavailable(text())), true), CallVerdict::Unknown);
        let timed_out = || Some(CallError::TimedOut(Duration::from_millis(1)));
        assert_eq!(verdict(timed_out(), false), CallVerdict::Unknown, "others used its time");
        assert_eq!(verdict(timed_out(), true), fails("timed_out"));
        for (error, outcome) in [
            (CallError::Trapped(text()), "trapped"),
            (CallError::OutOfMemory(1), "out_of_memory"),
            (CallError::BadOutput(text()), "bad_output"),
            (CallError::Failed(text()), "failed"),
        ] {
            assert_eq!(verdict(Some(error), true), fails(outcome));
        }
    }
}
