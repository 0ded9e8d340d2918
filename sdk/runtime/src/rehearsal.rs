//! What calls outside of traffic may have: a clock and random bytes that are given, so that a replay can be repeated,
//! and a profiler. Calls of a server have neither.

use crate::{
    Plugin,
    guest::Guest,
    profile::{Profile, ProfileError},
};
use std::time::Duration;
use wasmtime::Store;

/// The clock and the random bytes of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The time of day at which a call begins, since the beginning of 1970 (UTC). It goes on from there.
    pub clock: Duration,
    /// The seed of all random bytes.
    pub seed: u64,
}

/// How the calls of a plugin differ from those of traffic; by default, they do not.
#[derive(Clone, Default)]
pub(crate) struct Rehearsal {
    pub(crate) conditions: Option<Conditions>,
    pub(crate) profile: Option<Profile>,
}

impl Rehearsal {
    /// Prepares the store of a call.
    pub(crate) fn prepare(&self, store: &mut Store<Guest>) {
        if let Some(Conditions { clock, seed }) = self.conditions {
            store.data_mut().set_conditions(clock, seed);
        }
        if let Some(profile) = &self.profile {
            profile.attach(store);
        }
    }
}

impl Plugin {
    /// The same plugin, whose calls have this clock and these random bytes.
    #[must_use]
    pub fn under(&self, conditions: Conditions) -> Self {
        let rehearsal = Rehearsal { conditions: Some(conditions), ..self.rehearsal.clone() };
        Self { rehearsal, ..self.clone() }
    }

    /// The same plugin, whose calls are sampled, and their profile.
    pub fn profiled(&self) -> Result<(Self, Profile), ProfileError> {
        let component = self.loaded.world.instance().component();
        let profile = Profile::begin(&self.shared.engine, &self.name, component)?;
        let rehearsal = Rehearsal { profile: Some(profile.clone()), ..self.rehearsal.clone() };
        Ok((Self { rehearsal, ..self.clone() }, profile))
    }
}
