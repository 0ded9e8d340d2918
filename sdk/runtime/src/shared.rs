//! What a host prepares once, and what its loads and calls share.

use crate::{
    Source, cache::Cache, guest::Guest, kept, native::NativeCache, slots::Slots, threads::Threads, ticker::Ticker,
};
use std::{path::PathBuf, sync::Arc};
use tokio::sync::Semaphore;
use wasmtime::{Engine, component::Linker};

/// How a [`Host`](crate::Host) is set up.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// Where compiled code is kept between starts (created with mode 0700); `None` compiles anew each time.
    pub cache_dir: Option<PathBuf>,
    /// Calls that may run at once. One plugin has at most half of them.
    pub concurrency: usize,
    /// Calls that may wait for their turn, all plugins together; one more is [`crate::CallError::Unavailable`].
    pub queue: usize,
    /// The most memory that any call's [`Limits`](crate::Limits) may grant, in bytes.
    pub max_memory: usize,
    /// The largest source that is accepted, in bytes.
    pub max_source: usize,
    /// Whether one compilation may use all cores. The code that comes of it is the same.
    pub parallel_compilation: bool,
    /// Whether the instructions of every call are counted. Guests run slower then, and random bytes are the same in every
    /// call: for tests, not for traffic.
    pub metered: bool,
}

/// What loads and calls share.
pub(crate) struct Shared {
    pub(crate) options: HostOptions,
    pub(crate) engine: Engine,
    pub(crate) native: Option<Arc<NativeCache>>,
    /// What [`crate::kept`] describes.
    pub(crate) kept: Option<Cache>,
    pub(crate) linker: Linker<Guest>,
    pub(crate) ticker: Ticker,
    pub(crate) threads: Threads,
    pub(crate) slots: Arc<Slots>,
    #[cfg(feature = "javascript")]
    pub(crate) javascript: crate::javascript::JavaScript,
    /// Compiling takes many times a source's size in memory and cannot be cancelled: one at a time.
    pub(crate) compiling: Arc<Semaphore>,
}

impl Shared {
    /// Under what a plugin is kept.
    pub(crate) fn key(&self, source: &Source) -> String {
        #[cfg(feature = "javascript")]
        let made_with = self.javascript.fingerprints();
        #[cfg(not(feature = "javascript"))]
        let made_with = [];
        kept::key(&self.engine, &made_with, source)
    }
}
