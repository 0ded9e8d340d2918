//! The work directory in which a child process compiles a plugin for this host. It holds nothing but the compiled
//! runtime of the plugin's language; one file, the cache entry of the plugin, is taken from it.

use crate::{
    Host, LoadError, Source,
    disk_cache::{self, DiskCache},
    files::read_file,
    host_state::HostState,
    plugin_cache::PLUGINS_FOLDER,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

/// The largest file that is taken from it, in bytes. The process that compiles there needs to write no larger one.
pub const MAX_COMPILED_BYTES: usize = 1 << 30;

/// A folder that is removed when this is dropped.
pub struct WorkDirectory(TempDir);

impl WorkDirectory {
    /// The `cache_dir` of the process that compiles here.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Host {
    /// Whether this host caches compiled plugins.
    #[must_use]
    pub fn has_cache(&self) -> bool {
        self.0.plugin_cache.is_some()
    }

    /// Whether the cache has an intact entry for this source, so that loading it compiles nothing.
    pub async fn is_cached(&self, source: &Source) -> bool {
        let (shared, source) = (Arc::clone(&self.0), source.clone());
        // A large source takes a while to digest, once.
        let look = move || shared.plugin_cache.as_ref().is_some_and(|cache| cache.contains(&shared.key(&source)));
        spawn_blocking(look).await.unwrap_or_default()
    }

    /// A work directory for this source, beside the cache.
    ///
    /// # Errors
    /// Where there is no cache, or the folder cannot be made.
    pub async fn work_directory(&self, source: &Source) -> io::Result<WorkDirectory> {
        self.work_directory_by(source, |cache| TempDir::new_in(cache.scratch().path())).await
    }

    /// A work directory for this source among the temporary files of the system: the disk of the cache may be full.
    ///
    /// # Errors
    /// As [`Self::work_directory`].
    pub async fn temporary_work_directory(&self, source: &Source) -> io::Result<WorkDirectory> {
        self.work_directory_by(source, |_| TempDir::new()).await
    }

    async fn work_directory_by(
        &self,
        source: &Source,
        make_folder: impl FnOnce(&DiskCache) -> io::Result<TempDir> + Send + 'static,
    ) -> io::Result<WorkDirectory> {
        // Our own runtime is compiled here, if it never was.
        let permit = self.0.compiling.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (shared, source) = (Arc::clone(&self.0), source.clone());
        let make = move || {
            let _permit = permit;
            let folder = make_folder(shared.plugin_cache.as_ref().ok_or(io::ErrorKind::StorageFull)?)?;
            // Here rather than where it is asked for first: a large source takes a while.
            let _ = source.digest();
            if source.language != crate::Language::Wasm {
                copy_runtime_files(&shared, crate::Kind::likely(source.bytes()), folder.path())
                    .map_err(io::Error::other)?;
            }
            Ok(WorkDirectory(folder))
        };
        spawn_blocking(make).await.map_err(io::Error::other)?
    }

    /// Copies the cache entry that was compiled there into this host's cache, under this host's key for the source.
    ///
    /// # Errors
    /// Where the entry is missing, damaged, or cannot be written.
    pub async fn import_compiled(&self, work_directory: &WorkDirectory, source: &Source) -> io::Result<()> {
        self.take_compiled(work_directory, source, |cache, key, file| cache.try_put_file(key, &file)).await
    }

    /// The same without writing it: it is kept in memory until the source is loaded, once.
    ///
    /// # Errors
    /// Where the entry is missing or damaged.
    pub async fn hold_compiled(&self, work_directory: &WorkDirectory, source: &Source) -> io::Result<()> {
        let hold = |cache: &DiskCache, key: &str, file| {
            cache.hold(key, file);
            Ok(())
        };
        self.take_compiled(work_directory, source, hold).await
    }

    async fn take_compiled(
        &self,
        work_directory: &WorkDirectory,
        source: &Source,
        keep: impl FnOnce(&DiskCache, &str, Vec<u8>) -> io::Result<()> + Send + 'static,
    ) -> io::Result<()> {
        let key = self.0.key(source);
        let folder = work_directory.path().join(PLUGINS_FOLDER);
        let shared = Arc::clone(&self.0);
        let take = move || {
            let cache = shared.plugin_cache.as_ref().ok_or(io::ErrorKind::NotFound)?;
            let path = folder.join(&key);
            // The child may have left a link to what it could not read itself, to a file or to its folder.
            if !fs::symlink_metadata(&folder)?.is_dir() || !fs::symlink_metadata(&path)?.is_file() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let file = read_file(&path, MAX_COMPILED_BYTES).map_err(io::Error::other)?;
            disk_cache::verified_contents(&file).ok_or(io::ErrorKind::InvalidData)?;
            keep(cache, &key, file)
        };
        spawn_blocking(take).await.map_err(io::Error::other)?
    }
}

#[cfg(feature = "javascript")]
fn copy_runtime_files(shared: &HostState, kind: Option<crate::Kind>, folder: &Path) -> Result<(), LoadError> {
    let make = || shared.javascript.runtime_files(&shared.engine, &shared.linker, kind);
    let files = on_ending_threads(make)?;
    let copy = |(part, path): &(&str, PathBuf)| {
        let folder = folder.join(part);
        fs::create_dir_all(&folder)?;
        fs::copy(path, folder.join(path.file_name().unwrap_or_default()))
    };
    for file in &files {
        // Without it the compiler makes its own: that costs time.
        if let Err(error) = copy(file) {
            tracing::debug!(%error, "the compiled JavaScript runtime could not be copied; the compiler process compiles it again");
        }
    }
    Ok(())
}

/// Runs `make`, and what it compiles in parallel, on threads that end with it. Compiling the runtime takes some 90 MiB, which
/// the allocator would keep for threads that live on.
#[cfg(feature = "javascript")]
fn on_ending_threads<T: Send>(make: impl FnOnce() -> Result<T, LoadError> + Send) -> Result<T, LoadError> {
    let threads = rayon::ThreadPoolBuilder::new().build();
    let threads = threads.map_err(|error| LoadError::Internal(format!("no thread to compile on: {error}")))?;
    threads.install(make)
}

#[cfg(not(feature = "javascript"))]
fn copy_runtime_files(_: &HostState, _: Option<crate::Kind>, _: &Path) -> Result<(), LoadError> {
    Ok(())
}

#[cfg(test)]
mod tests;
