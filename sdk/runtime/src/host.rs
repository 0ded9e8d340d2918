//! The plugin host: the engine and everything else that is prepared once, and the entry point for loading plugins.

use crate::{
    LoadError, Plugin, Source, StartError,
    compiled_code_cache::CompiledCodeCache,
    concurrency_limiter::ConcurrencyLimiter,
    disk_cache::{DiskCache, is_disk_full},
    engine,
    epoch_ticker::EpochTicker,
    guest_threads::{BACKGROUND_NICENESS, GuestThreads, NICENESS},
    host_state::{HostOptions, HostState},
    linker, loader,
    plugin_cache::PLUGINS_FOLDER,
    private_folder::private_folder,
    rehearsal::Rehearsal,
    scratch_directory::ScratchDirectory,
};
use std::{io, path::Path, sync::Arc, thread};
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};
use tracing::Span;

/// Statistics of the compiled code cache since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Entries that were found.
    pub hits: usize,
    /// Entries that were missing, so that code was compiled.
    pub misses: usize,
    /// Entries that could not be written.
    pub write_failures: usize,
}

/// The engine and everything that is prepared once. Cheap to clone.
#[derive(Clone)]
pub struct Host(pub(crate) Arc<HostState>);

impl Host {
    /// Sets up the engine. Blocking, some milliseconds.
    pub fn new(options: HostOptions) -> Result<Self, StartError> {
        Self::with_niceness(options, NICENESS)
    }

    /// The same, with threads that those of other hosts outrank: for calls that nothing waits for.
    pub fn in_background(options: HostOptions) -> Result<Self, StartError> {
        Self::with_niceness(options, BACKGROUND_NICENESS)
    }

    fn with_niceness(options: HostOptions, niceness: i32) -> Result<Self, StartError> {
        let caches = options.cache_dir.as_deref().map(open_caches).transpose()?.flatten();
        let (components, native, plugins) = match caches {
            Some((components, native, plugins)) => (Some(components), Some(Arc::new(native)), Some(plugins)),
            None => (None, None, None),
        };
        let engine = engine::new_engine(&options, native.as_deref().map(CompiledCodeCache::for_engine))?;
        let failed = |error: wasmtime::Error| StartError(format!("{error:#}"));
        #[cfg_attr(not(feature = "javascript"), expect(unused_mut, reason = "JavaScript adds to it"))]
        let mut linker = linker::new_linker(&engine).map_err(failed)?;
        #[cfg(feature = "javascript")]
        crate::javascript::add_to_linker(&mut linker).map_err(failed)?;
        Ok(Self(Arc::new(HostState {
            #[cfg(feature = "javascript")]
            javascript: crate::javascript::JavaScript::new(&engine, components, native.clone(), options.metered),
            ticker: EpochTicker::start(&engine)?,
            threads: GuestThreads::start_nice(threads_for(&options), niceness)?,
            limiter: ConcurrencyLimiter::new(options.concurrency, options.queue),
            compiling: Arc::new(Semaphore::new(1)),
            options,
            engine,
            native,
            plugin_cache: plugins,
            linker,
        })))
    }

    /// Statistics of the cache of compiled code since the start.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        let Some(native) = &self.0.native else {
            return CacheUse { write_failures: usize::from(self.0.options.cache_dir.is_some()), ..CacheUse::default() };
        };
        let write_failures =
            native.write_failures() + self.0.plugin_cache.as_ref().map_or(0, DiskCache::write_failures);
        #[cfg(feature = "javascript")]
        let write_failures = write_failures + self.0.javascript.write_failures();
        CacheUse { hits: native.hits(), misses: native.misses(), write_failures }
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
        // The permit moves along: a caller that gives up must not let a second compilation start beside this one.
        let load = move || {
            let _permit = permit;
            let digest = source.digest();
            span.record("digest", digest);
            let digest = digest.into();
            let _entered = span.enter();
            let loaded = handle.block_on(loader::load(&shared, &source))?;
            let rehearsal = Rehearsal::default();
            Ok(Arc::new(Plugin { shared, name: source.name.into(), digest, loaded: Arc::new(loaded), rehearsal }))
        };
        spawn_blocking(load).await.unwrap_or_else(|error| Err(internal(format!("the loader stopped: {error}"))))
    }
}

/// One more than there are cores: a plugin may use all threads but one, and no core is idle then.
fn threads_for(options: &HostOptions) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    options.concurrency.min(cores + 1)
}

/// The caches of our own runtimes, of their native code, and of plugins; none when the disk is so full that not even
/// folders find room, since a server need not keep what it compiles.
fn open_caches(folder: &Path) -> Result<Option<(DiskCache, CompiledCodeCache, DiskCache)>, StartError> {
    let open = || -> io::Result<_> {
        let scratch = Arc::new(ScratchDirectory::new(&folder.join("work"))?);
        let components = DiskCache::new(&folder.join("components"), Arc::clone(&scratch))?;
        let native = DiskCache::new(&folder.join("native"), Arc::clone(&scratch))?;
        let plugins = DiskCache::new(&folder.join(PLUGINS_FOLDER), Arc::clone(&scratch))?;
        Ok((components, native, plugins, scratch))
    };
    match open() {
        Ok((components, native, plugins, scratch)) => {
            Ok(Some((components, CompiledCodeCache::new(native, &scratch)?, plugins)))
        }
        Err(error) if is_disk_full(&error) => {
            tracing::error!(%error, "the disk is too full for the plugin cache: plugins are compiled again at the next start");
            Ok(None)
        }
        Err(error) => Err(cache_error(&error)),
    }
}

/// Checks that the cache can be kept in this folder: files are written to each of its parts.
///
/// # Errors
/// Where a folder cannot be made, or nothing can be written to it.
pub fn check_cache(folder: &Path) -> io::Result<()> {
    for part in ["work", "components", "native", PLUGINS_FOLDER] {
        tempfile::tempfile_in(private_folder(&folder.join(part))?)?;
    }
    Ok(())
}

fn cache_error(error: &io::Error) -> StartError {
    StartError(format!("the cache folder cannot be used: {error}"))
}
