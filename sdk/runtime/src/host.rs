//! The host: what is prepared once, and the door to everything else.

use crate::{
    LoadError, Plugin, Source, StartError, cache::Cache, engine, guest::Guest, linker, loader, native::NativeCache,
    permits::Permits, scratch::Scratch,
};
use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};
use tracing::Span;
use wasmtime::{Engine, component::Linker};

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
    /// Whether the instructions of every call are counted. Guests run slower then, and random bytes are the same in every
    /// call: for tests, not for traffic.
    pub metered: bool,
}

/// How the cache served since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Found.
    pub hits: usize,
    /// Compiled and kept.
    pub misses: usize,
    /// Made and not kept, since the cache could not be written.
    pub unkept: usize,
}

/// The engine and everything that is prepared once. Cheap to clone.
#[derive(Clone)]
pub struct Host(Arc<Shared>);

/// What loads and calls share.
pub(crate) struct Shared {
    pub(crate) options: HostOptions,
    pub(crate) engine: Engine,
    pub(crate) native: Option<Arc<NativeCache>>,
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
        let (components, native) = options.cache_dir.as_deref().map(open_caches).transpose()?.flatten().unzip();
        let native = native.map(Arc::new);
        let engine = engine::new_engine(&options, native.as_deref().map(NativeCache::for_engine))?;
        let linker = linker::new_linker(&engine).map_err(|error| StartError(format!("{error:#}")))?;
        Ok(Self(Arc::new(Shared {
            #[cfg(feature = "javascript")]
            javascript: crate::javascript::JavaScript::new(&engine, components, native.clone(), options.metered),
            permits: Permits::new(options.concurrency, options.queue),
            compiling: Arc::new(Semaphore::new(1)),
            options,
            engine,
            native,
            linker,
        })))
    }

    /// How the cache of native code served since the start.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        let Some(native) = &self.0.native else {
            return CacheUse { unkept: usize::from(self.0.options.cache_dir.is_some()), ..CacheUse::default() };
        };
        let unkept = native.unkept();
        #[cfg(feature = "javascript")]
        let unkept = unkept + self.0.javascript.unkept();
        CacheUse { hits: native.hits(), misses: native.misses(), unkept }
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

/// The caches of components and of native code; none when the disk is so full that not even folders find room, since a
/// server need not keep what it compiles.
fn open_caches(folder: &Path) -> Result<Option<(Cache, NativeCache)>, StartError> {
    let open = || -> io::Result<_> {
        let scratch = Arc::new(Scratch::new(&folder.join("work"))?);
        let components = Cache::new(&folder.join("components"), Arc::clone(&scratch))?;
        let native = Cache::new(&folder.join("native"), Arc::clone(&scratch))?;
        Ok((components, native, scratch))
    };
    match open() {
        Ok((components, native, scratch)) => Ok(Some((components, NativeCache::new(native, &scratch)?))),
        Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            tracing::error!(%error, "there is no room for the plugin cache: nothing is kept until the next start");
            Ok(None)
        }
        Err(error) => Err(cache_error(&error)),
    }
}

fn cache_error(error: &io::Error) -> StartError {
    StartError(format!("the cache folder: {error}"))
}
