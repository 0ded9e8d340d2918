//! The host: what is prepared once, and the door to everything else.

use crate::{
    LoadError, Plugin, Source, StartError,
    cache::Cache,
    engine,
    kept::PLUGINS,
    linker, loader,
    native::NativeCache,
    scratch::Scratch,
    shared::{HostOptions, Shared},
    slots::Slots,
    threads::Threads,
    ticker::Ticker,
};
use std::{
    io::{self, ErrorKind},
    path::Path,
    sync::Arc,
    thread,
};
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};
use tracing::Span;

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
pub struct Host(pub(crate) Arc<Shared>);

impl Host {
    /// Sets up the engine. Blocking, some milliseconds.
    pub fn new(options: HostOptions) -> Result<Self, StartError> {
        let caches = options.cache_dir.as_deref().map(open_caches).transpose()?.flatten();
        let (components, native, kept) = match caches {
            Some((components, native, kept)) => (Some(components), Some(Arc::new(native)), Some(kept)),
            None => (None, None, None),
        };
        let engine = engine::new_engine(&options, native.as_deref().map(NativeCache::for_engine))?;
        let failed = |error: wasmtime::Error| StartError(format!("{error:#}"));
        #[cfg_attr(not(feature = "javascript"), expect(unused_mut, reason = "JavaScript adds to it"))]
        let mut linker = linker::new_linker(&engine).map_err(failed)?;
        #[cfg(feature = "javascript")]
        crate::javascript::add_to_linker(&mut linker).map_err(failed)?;
        Ok(Self(Arc::new(Shared {
            #[cfg(feature = "javascript")]
            javascript: crate::javascript::JavaScript::new(&engine, components, native.clone(), options.metered),
            ticker: Ticker::start(&engine)?,
            threads: Threads::start(threads_for(&options))?,
            slots: Slots::new(options.concurrency, options.queue),
            compiling: Arc::new(Semaphore::new(1)),
            options,
            engine,
            native,
            kept,
            linker,
        })))
    }

    /// How the cache of native code served since the start.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        let Some(native) = &self.0.native else {
            return CacheUse { unkept: usize::from(self.0.options.cache_dir.is_some()), ..CacheUse::default() };
        };
        let unkept = native.unkept() + self.0.kept.as_ref().map_or(0, Cache::unkept);
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
        let (size, limit) = (source.bytes().len(), self.0.options.max_source);
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
            span.record("digest", digest);
            let digest = digest.into();
            let _entered = span.enter();
            let loaded = handle.block_on(loader::load(&shared, &source))?;
            Ok(Arc::new(Plugin { shared, name: source.name.into(), digest, loaded: Arc::new(loaded) }))
        };
        spawn_blocking(load).await.unwrap_or_else(|error| Err(internal(format!("the loader stopped: {error}"))))
    }
}

/// One more than there are cores: a plugin that has all but one leaves no core idle.
fn threads_for(options: &HostOptions) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    options.concurrency.min(cores + 1)
}

/// The caches of our own runtimes, of their native code, and of plugins; none when the disk is so full that not even folders find room, since a
/// server need not keep what it compiles.
fn open_caches(folder: &Path) -> Result<Option<(Cache, NativeCache, Cache)>, StartError> {
    let open = || -> io::Result<_> {
        let scratch = Arc::new(Scratch::new(&folder.join("work"))?);
        let components = Cache::new(&folder.join("components"), Arc::clone(&scratch))?;
        let native = Cache::new(&folder.join("native"), Arc::clone(&scratch))?;
        let kept = Cache::new(&folder.join(PLUGINS), Arc::clone(&scratch))?;
        Ok((components, native, kept, scratch))
    };
    match open() {
        Ok((components, native, kept, scratch)) => Ok(Some((components, NativeCache::new(native, &scratch)?, kept))),
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
