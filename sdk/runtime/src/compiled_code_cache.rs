//! The cache of compiled native code between starts.
//!
//! Wasmtime has a cache of its own, but trusts every file in its folder: its compression carries no checksum, and a
//! flipped byte would be executed. After a killed process or a full disk left a file half written, wasmtime never
//! writes that entry again. So wasmtime's cache folder is here in this process's scratch directory, empty but for the
//! one entry that is asked for. Entries are copied from and to a [`DiskCache`], whose files have digests.

use crate::{
    StartError,
    disk_cache::{DiskCache, is_disk_full},
    scratch_directory::ScratchDirectory,
};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Component as Part, Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};
use tempfile::TempDir;
use wasmtime::{CacheConfig, Engine};

/// The lock by whose age wasmtime knows when it cleaned up last. It would begin at the first entry, and warn about
/// files that vanish meanwhile.
const CLEANUP_LOCK: &str = ".cleanup.wip-none";

/// How a component, or a module, is compiled.
pub(crate) type Compile<T> = fn(&Engine, &[u8]) -> wasmtime::Result<T>;

/// The cache of one engine. One component or module is compiled at a time.
pub(crate) struct CompiledCodeCache {
    files: DiskCache,
    wasmtime_folder: PathBuf,
    wasmtime: wasmtime::Cache,
    /// Where that folder leads to since the disk of the cache was full.
    temporary_folder: OnceLock<TempDir>,
}

impl CompiledCodeCache {
    /// A cache whose entries are in `files`.
    pub(crate) fn new(files: DiskCache, scratch: &ScratchDirectory) -> Result<Self, StartError> {
        let wasmtime_folder = scratch.path().join("wasmtime");
        let mut config = CacheConfig::new();
        config.with_directory(&wasmtime_folder).with_cleanup_interval(Duration::MAX);
        let wasmtime = wasmtime::Cache::new(config).map_err(|error| StartError(format!("{error:#}")))?;
        prevent_cleanup(&wasmtime_folder).map_err(|error| StartError(error.to_string()))?;
        Ok(Self { files, wasmtime_folder, wasmtime, temporary_folder: OnceLock::new() })
    }

    /// What the engine is to be set up with.
    pub(crate) fn for_engine(&self) -> wasmtime::Cache {
        self.wasmtime.clone()
    }

    pub(crate) fn hits(&self) -> usize {
        self.wasmtime.cache_hits()
    }

    pub(crate) fn misses(&self) -> usize {
        self.wasmtime.cache_misses()
    }

    pub(crate) fn write_failures(&self) -> usize {
        self.files.write_failures()
    }

    fn compile<T>(&self, engine: &Engine, bytes: &[u8], compile: Compile<T>) -> wasmtime::Result<T> {
        let key = key(engine, bytes);
        let (compiled, entry) = self.compile_with(engine, bytes, self.files.get(&key).as_deref(), compile)?;
        if let Some(entry) = entry {
            self.files.put(&key, &entry);
        }
        Ok(compiled)
    }

    /// Compiles, or takes `entry`. What comes of compiling comes back as another one.
    pub(crate) fn compile_with<T>(
        &self,
        engine: &Engine,
        bytes: &[u8],
        entry: Option<&[u8]>,
        compile: Compile<T>,
    ) -> wasmtime::Result<(T, Option<Vec<u8>>)> {
        if let Some(Err(error)) = entry.map(|entry| self.write_entry(entry)) {
            tracing::warn!(%error, "cached compiled code cannot be used; the plugin is compiled again");
        }
        let hits = self.hits();
        let compiled = compile(engine, bytes);
        let mut made = None;
        if compiled.is_ok() && self.hits() == hits {
            match self.read_entry() {
                Ok(entry) => made = Some(entry),
                Err(error) => self.files.record_write_failure(&key(engine, bytes), &error),
            }
        }
        self.clear_wasmtime_folder();
        Ok((compiled?, made))
    }

    /// The path of the entry for this code, whether or not it exists.
    pub(crate) fn path(&self, engine: &Engine, bytes: &[u8]) -> PathBuf {
        self.files.path(&key(engine, bytes))
    }

    /// Hands an entry to wasmtime, by the temporary files of the system if the disk of the cache is full.
    fn write_entry(&self, entry: &[u8]) -> io::Result<()> {
        match self.try_write_entry(entry) {
            Err(error) if is_disk_full(&error) && self.temporary_folder.get().is_none() => {
                self.move_wasmtime_folder()?;
                self.try_write_entry(entry)
            }
            written => written,
        }
    }

    /// Wasmtime knows the folder by its path, which becomes a link.
    fn move_wasmtime_folder(&self) -> io::Result<()> {
        let folder = TempDir::new()?;
        prevent_cleanup(folder.path())?;
        fs::remove_dir_all(&self.wasmtime_folder)?;
        link(folder.path(), &self.wasmtime_folder)?;
        // One component is compiled at a time, so it is set once.
        let _ = self.temporary_folder.set(folder);
        Ok(())
    }

    /// An entry is the path of wasmtime's file, a line feed, and the file.
    fn try_write_entry(&self, entry: &[u8]) -> io::Result<()> {
        let parts = entry.iter().position(|byte| *byte == b'\n').and_then(|end| {
            let path = Path::new(std::str::from_utf8(&entry[..end]).ok()?);
            let inside = path.components().all(|part| matches!(part, Part::Normal(_)));
            inside.then_some((path, &entry[end + 1..]))
        });
        let (path, bytes) = parts.ok_or(io::ErrorKind::InvalidData)?;
        let path = self.wasmtime_folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.wasmtime_folder))?;
        fs::write(path, bytes)
    }

    fn read_entry(&self) -> io::Result<Vec<u8>> {
        let path = self.wasmtime_files().into_iter().find(|path| path.extension().is_none());
        let path = path.ok_or_else(|| io::Error::other("wasmtime could not write it; the disk may be full"))?;
        let name = path.strip_prefix(&self.wasmtime_folder).unwrap_or(&path).to_string_lossy().into_owned();
        Ok([name.as_bytes(), b"\n", &fs::read(&path)?].concat())
    }

    /// Folders stay, since wasmtime's own thread may write its statistics there at any time, and so does its lock.
    fn clear_wasmtime_folder(&self) {
        for path in self.wasmtime_files().into_iter().filter(|path| !path.ends_with(CLEANUP_LOCK)) {
            let _ = fs::remove_file(path);
        }
    }

    fn wasmtime_files(&self) -> Vec<PathBuf> {
        let (mut files, mut folders) = (Vec::new(), vec![self.wasmtime_folder.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files
    }
}

fn prevent_cleanup(wasmtime_folder: &Path) -> io::Result<()> {
    fs::write(wasmtime_folder.join(CLEANUP_LOCK), [])
}

#[cfg(unix)]
fn link(to: &Path, from: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, from)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Compiles, or takes what was compiled before.
#[cfg(feature = "javascript")]
pub(crate) fn compile<T>(
    cache: Option<&CompiledCodeCache>,
    engine: &Engine,
    bytes: &[u8],
    compile: Compile<T>,
) -> wasmtime::Result<T> {
    match cache {
        Some(cache) => cache.compile(engine, bytes, compile),
        None => compile(engine, bytes),
    }
}

/// Wasmtime checks by its own file name whether an entry fits the engine, so this key need not be exact about engines.
fn key(engine: &Engine, bytes: &[u8]) -> String {
    let mut version = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut version);
    let mut digest = Sha256::new();
    digest.update(version.finish().to_le_bytes());
    digest.update(bytes);
    HEXLOWER.encode(&digest.finalize())
}
