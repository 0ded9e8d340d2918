//! The clock by which guests yield: a tick every millisecond while any of them runs, none while nobody does.

use crate::StartError;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::Duration,
};
use wasmtime::Engine;

/// How long a busy guest keeps a thread, and how far past its deadline it can run.
const TICK: Duration = Duration::from_millis(1);

/// How often a ticker that rests looks whether its engine is still there.
const REST: Duration = Duration::from_secs(1);

/// Ticks one engine.
#[derive(Clone)]
pub(crate) struct Ticker {
    running: Arc<AtomicUsize>,
    thread: Thread,
}

/// Keeps the clock going.
pub(crate) struct Ticking(Ticker);

impl Ticker {
    /// Starts the thread, which ends when the engine does.
    pub(crate) fn start(engine: &Engine) -> Result<Self, StartError> {
        let engine = engine.weak();
        let running = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&running);
        let tick = move || {
            loop {
                let rests = count.load(Ordering::Acquire) == 0;
                if rests {
                    thread::park_timeout(REST);
                } else {
                    thread::sleep(TICK);
                }
                let Some(engine) = engine.upgrade() else { return };
                // The first tick comes a tick after the first guest.
                if !rests {
                    engine.increment_epoch();
                }
            }
        };
        let spawned = thread::Builder::new().name("plugin-ticker".to_owned()).spawn(tick);
        let spawned = spawned.map_err(|error| StartError(format!("the ticker thread: {error}")))?;
        Ok(Self { running, thread: spawned.thread().clone() })
    }

    /// Ticks until what comes back is dropped.
    pub(crate) fn ticking(&self) -> Ticking {
        if self.running.fetch_add(1, Ordering::AcqRel) == 0 {
            self.thread.unpark();
        }
        Ticking(self.clone())
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::AcqRel);
    }
}
