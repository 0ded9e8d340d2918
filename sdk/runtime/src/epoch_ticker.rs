//! The epoch ticker: increments the engine's epoch every millisecond while any guest runs, so that busy guests yield,
//! and sleeps while none does.

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
pub(crate) const TICK_INTERVAL: Duration = Duration::from_millis(1);

/// How often an idle ticker looks whether its engine still exists.
const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The ticker of one engine.
#[derive(Clone)]
pub(crate) struct EpochTicker {
    running: Arc<AtomicUsize>,
    thread: Thread,
}

/// Keeps the ticker running until it is dropped.
pub(crate) struct ActiveTicker(EpochTicker);

impl EpochTicker {
    /// Starts the thread, which ends when the engine does.
    pub(crate) fn start(engine: &Engine) -> Result<Self, StartError> {
        let engine = engine.weak();
        let running = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&running);
        let tick = move || {
            loop {
                let is_idle = count.load(Ordering::Acquire) == 0;
                if is_idle {
                    thread::park_timeout(IDLE_CHECK_INTERVAL);
                } else {
                    thread::sleep(TICK_INTERVAL);
                }
                let Some(engine) = engine.upgrade() else { return };
                // The first tick comes a tick after the first guest.
                if !is_idle {
                    engine.increment_epoch();
                }
            }
        };
        let spawned = thread::Builder::new().name("plugin-ticker".to_owned()).spawn(tick);
        let spawned = spawned.map_err(|error| StartError(format!("the epoch ticker thread did not start: {error}")))?;
        Ok(Self { running, thread: spawned.thread().clone() })
    }

    /// Ticks until the returned guard is dropped.
    pub(crate) fn start_ticking(&self) -> ActiveTicker {
        if self.running.fetch_add(1, Ordering::AcqRel) == 0 {
            self.thread.unpark();
        }
        ActiveTicker(self.clone())
    }
}

impl Drop for ActiveTicker {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::AcqRel);
    }
}
