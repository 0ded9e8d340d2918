//! A profile of calls, for Firefox's profiler: at each tick of the epoch, the stack of the guest that runs is sampled.
//! Of calls that are shorter than a tick, one sees something only after many of them.

use crate::{epoch_ticker::TICK_INTERVAL, guest::Guest};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use wasmparser::{Parser, Payload};
use wasmtime::{Engine, GuestProfiler, Store, UpdateDeadline, component::Component};

/// The section of a module that has the names of its functions.
const NAME_SECTION: &str = "name";

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
#[error("there is no profile: {0}")]
pub struct ProfileError(String);

/// The profile of the calls of one plugin. Clones share it.
#[derive(Clone)]
pub struct Profile(Arc<Mutex<ProfileState>>);

struct ProfileState {
    /// None once it was finished.
    profiler: Option<GuestProfiler>,
    samples: usize,
}

impl Profile {
    /// A profile of calls of this component.
    pub(crate) fn begin(engine: &Engine, name: &str, component: &Component) -> Result<Self, ProfileError> {
        let others = std::iter::empty();
        let profiler = GuestProfiler::new_component(engine, name, TICK_INTERVAL, component.clone(), others);
        let profiler = profiler.map_err(|error| ProfileError(format!("{error:#}")))?;
        Ok(Self(Arc::new(Mutex::new(ProfileState { profiler: Some(profiler), samples: 0 }))))
    }

    /// Samples the guest of this store whenever it yields, which it still does at each tick.
    pub(crate) fn attach(&self, store: &mut Store<Guest>) {
        let profile = self.clone();
        store.epoch_deadline_callback(move |context| {
            let mut state = profile.lock();
            let ProfileState { profiler, samples } = &mut *state;
            if let Some(profiler) = profiler {
                // Time on the processor is not measured.
                profiler.sample(&context, Duration::ZERO);
                *samples += 1;
            }
            Ok(UpdateDeadline::Yield(1))
        });
    }

    /// How many samples it has.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.lock().samples
    }

    /// Ends it, and answers it as JSON, in the format of Firefox's profiler ("processed profile").
    pub fn finish(&self) -> Result<Vec<u8>, ProfileError> {
        let profiler = self.lock().profiler.take();
        let profiler = profiler.ok_or_else(|| ProfileError("it was finished already".to_owned()))?;
        let mut json = Vec::new();
        profiler.finish(&mut json).map_err(|error| ProfileError(format!("{error:#}")))?;
        Ok(json)
    }

    fn lock(&self) -> MutexGuard<'_, ProfileState> {
        // A sample that a panic interrupted is missing; the others are there.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a component, or a core module, names its functions. Compilers may strip the names, and the functions are
/// shown by their numbers then.
#[must_use]
pub fn names_functions(wasm: &[u8]) -> bool {
    Parser::new(0)
        .parse_all(wasm)
        .any(|part| matches!(part, Ok(Payload::CustomSection(section)) if section.name() == NAME_SECTION))
}
