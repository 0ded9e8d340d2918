//! The options of a plugin host, and the state that its loads and calls share.

use crate::{
    Source, compiled_code_cache::CompiledCodeCache, concurrency_limiter::ConcurrencyLimiter, disk_cache::DiskCache,
    epoch_ticker::EpochTicker, guest::Guest, guest_threads::GuestThreads, plugin_cache,
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
    /// Calls that may wait in queues, all plugins together; one more is [`crate::CallError::Unavailable`].
    pub queue: usize,
    /// The most memory that any call's [`Limits`](crate::Limits) may grant, in bytes.
    pub max_memory: usize,
    /// The largest source that is accepted, in bytes.
    pub max_source: usize,
    /// Whether one compilation may use all cores. The code that comes of it is the same.
    pub parallel_compilation: bool,
    /// Whether the instructions of every call are counted. Guests run slower then, and random bytes are the same in
    /// every call: for tests, not for traffic.
    pub metered: bool,
}

/// What loads and calls share.
pub(crate) struct HostState {
    pub(crate) options: HostOptions,
    pub(crate) engine: Engine,
    pub(crate) native: Option<Arc<CompiledCodeCache>>,
    /// See [`crate::plugin_cache`].
    pub(crate) plugin_cache: Option<DiskCache>,
    pub(crate) linker: Linker<Guest>,
    pub(crate) ticker: EpochTicker,
    pub(crate) threads: GuestThreads,
    pub(crate) limiter: Arc<ConcurrencyLimiter>,
    #[cfg(feature = "javascript")]
    pub(crate) javascript: crate::javascript::JavaScript,
    /// Compiling takes many times a source's size in memory and cannot be cancelled: one at a time.
    pub(crate) compiling: Arc<Semaphore>,
}

impl HostState {
    /// The key of a plugin's cache entry.
    pub(crate) fn key(&self, source: &Source) -> String {
        #[cfg(feature = "javascript")]
        let made_with = self.javascript.fingerprints();
        #[cfg(not(feature = "javascript"))]
        let made_with = [];
        plugin_cache::key(&self.engine, &made_with, source)
    }
}
