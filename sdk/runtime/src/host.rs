//! The host: what is prepared once, and the door to everything else.

use crate::{
    LoadError, Plugin, Source, StartError, engine, folder::private_folder, guest::Guest, linker, loader,
    permits::Permits,
};
use std::{path::PathBuf, sync::Arc};
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};
use tracing::Span;
use wasmtime::{Cache, Engine, component::Linker};

/// How a [`Host`] is set up.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// Where compiled code is kept between starts (created with mode 0700); `None` compiles anew each time.
    pub cache_dir: Option<PathBuf>,
    /// Calls that may run at once.
    pub concurrency: usize,
    /// Calls that may wait for a place; one more is [`crate::CallError::Unavailable`].
    pub queue: usize,
    /// The most memory that any call's [`Limits`](crate::Limits) may grant, in bytes.
    pub max_memory: usize,
    /// The largest source that is accepted, in bytes.
    pub max_source: usize,
    /// Whether one compilation may use all cores. The code that comes of it is the same.
    pub parallel_compilation: bool,
    /// Whether the instructions of every call are counted. Guests run slower then: for tests, not for traffic.
    pub metered: bool,
}

/// How often native code was found in the cache, and how often it had to be compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Found.
    pub hits: usize,
    /// Compiled and kept.
    pub misses: usize,
}

/// The engine and everything that is prepared once. Cheap to clone.
#[derive(Clone)]
pub struct Host(Arc<Shared>);

/// What loads and calls share.
pub(crate) struct Shared {
    pub(crate) options: HostOptions,
    pub(crate) engine: Engine,
    code_cache: Option<Cache>,
    pub(crate) linker: Linker<Guest>,
    pub(crate) permits: Permits,
    #[cfg(feature = "javascript")]
    pub(crate) javascript: crate::javascript::JavaScript,
    /// Compiling takes many times a source's size in memory and cannot be cancelled: one at a time.
    compiling: Arc<Semaphore>,
}

impl Host {
    /// Sets up the engine. Blocking, some milliseconds.
    pub fn new(options: HostOptions) -> Result<Self, StartError> {
        let below = |name: &str| options.cache_dir.as_ref().map(|folder| folder.join(name));
        let native = below("native").map(|folder| private_folder(&folder)).transpose();
        let native = native.map_err(|error| cache_error(&error))?;
        let code_cache = native.as_deref().map(engine::new_cache).transpose()?;
        let engine = engine::new_engine(&options, code_cache.clone())?;
        let linker = linker::new_linker(&engine).map_err(|error| StartError(format!("{error:#}")))?;
        Ok(Self(Arc::new(Shared {
            #[cfg(feature = "javascript")]
            javascript: crate::javascript::JavaScript::new(&engine, below("components").as_deref(), options.metered)
                .map_err(|error| cache_error(&error))?,
            permits: Permits::new(options.concurrency, options.queue),
            compiling: Arc::new(Semaphore::new(1)),
            options,
            engine,
            code_cache,
            linker,
        })))
    }

    /// How the cache of native code served since the start.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        let cache = self.0.code_cache.as_ref();
        cache
            .map_or_else(CacheUse::default, |cache| CacheUse { hits: cache.cache_hits(), misses: cache.cache_misses() })
    }

    /// Compiles off the async threads, one at a time, links, and instantiates once on trial.
    #[tracing::instrument(name = "plugin.load", skip_all, fields(plugin = source.name, digest, outcome))]
    pub async fn load(&self, source: &Source) -> Result<Arc<Plugin>, LoadError> {
        let loaded = self.load_alone(source).await;
        Span::current().record("outcome", loaded.as_ref().map_or_else(LoadError::outcome, |_| "loaded"));
        loaded
    }

    async fn load_alone(&self, source: &Source) -> Result<Arc<Plugin>, LoadError> {
        let (size, limit) = (source.bytes.len(), self.0.options.max_source);
        if size > limit {
            return Err(LoadError::TooLarge { size, limit });
        }
        let internal = |error: String| LoadError::Internal(error);
        let permit = self.0.compiling.clone().acquire_owned().await.map_err(|error| internal(error.to_string()))?;
        let (shared, source, handle, span) = (self.0.clone(), source.clone(), Handle::current(), Span::current());
        // The permit goes along: a caller that gives up does not start a second compilation beside this one.
        let load = move || {
            let _permit = permit;
            let digest = source.digest();
            span.record("digest", &digest);
            let _entered = span.enter();
            let loaded = handle.block_on(loader::load(&shared, &source))?;
            Ok(Arc::new(Plugin { shared, name: source.name, digest, loaded }))
        };
        spawn_blocking(load).await.unwrap_or_else(|error| Err(internal(format!("the loader stopped: {error}"))))
    }
}

fn cache_error(error: &std::io::Error) -> StartError {
    StartError(format!("the cache folder: {error}"))
}
