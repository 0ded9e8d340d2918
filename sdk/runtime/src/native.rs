//! Native code that is kept between starts.
//!
//! Wasmtime keeps it itself, but believes every file in the folder of its cache: its compression carries no checksum, and
//! a byte that flipped there would be run. A file that a killed process or a full disk left half written also keeps it
//! from ever writing that entry again. So its folder here is a desk of this process alone, empty but for the one entry
//! that is asked for. What is on it comes from, and goes to, files with digests.

use crate::{StartError, cache::Cache, scratch::Scratch};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::{
    ffi::OsStr,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Component as Part, Path, PathBuf},
};
use wasmtime::{CacheConfig, Engine};

/// What the name of wasmtime's own lock begins with.
const CLEANUP_LOCK: &str = ".cleanup";

/// How a component, or a module, is compiled.
pub(crate) type Compile<T> = fn(&Engine, &[u8]) -> wasmtime::Result<T>;

/// The cache of one engine. One component or module is compiled at a time.
pub(crate) struct NativeCache {
    files: Cache,
    desk: PathBuf,
    wasmtime: wasmtime::Cache,
}

impl NativeCache {
    /// Keeps code in `files`.
    pub(crate) fn new(files: Cache, scratch: &Scratch) -> Result<Self, StartError> {
        let desk = scratch.path().join("desk");
        let mut config = CacheConfig::new();
        config.with_directory(&desk);
        let wasmtime = wasmtime::Cache::new(config).map_err(|error| StartError(format!("{error:#}")))?;
        Ok(Self { files, desk, wasmtime })
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

    pub(crate) fn unkept(&self) -> usize {
        self.files.unkept()
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
        if let Some(Err(error)) = entry.map(|entry| self.lay_out(entry)) {
            tracing::warn!(%error, "compiled code is kept and cannot be used: it is compiled anew");
        }
        let hits = self.hits();
        let compiled = compile(engine, bytes);
        let mut made = None;
        if compiled.is_ok() && self.hits() == hits {
            match self.pick_up() {
                Ok(entry) => made = Some(entry),
                Err(error) => self.files.failed(&key(engine, bytes), &error),
            }
        }
        self.clear();
        Ok((compiled?, made))
    }

    /// Where the code of this is kept, if it is.
    pub(crate) fn path(&self, engine: &Engine, bytes: &[u8]) -> PathBuf {
        self.files.path(&key(engine, bytes))
    }

    /// An entry is the path of wasmtime's file, a line feed, and the file.
    fn lay_out(&self, entry: &[u8]) -> io::Result<()> {
        let parts = entry.iter().position(|byte| *byte == b'\n').and_then(|end| {
            let path = Path::new(std::str::from_utf8(&entry[..end]).ok()?);
            let inside = path.components().all(|part| matches!(part, Part::Normal(_)));
            inside.then_some((path, &entry[end + 1..]))
        });
        let (path, bytes) = parts.ok_or(io::ErrorKind::InvalidData)?;
        let path = self.desk.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.desk))?;
        fs::write(path, bytes)
    }

    fn pick_up(&self) -> io::Result<Vec<u8>> {
        let path = self.files_on_desk().into_iter().find(|path| path.extension().is_none());
        let path = path.ok_or_else(|| io::Error::other("wasmtime could not write it; the disk may be full"))?;
        let name = path.strip_prefix(&self.desk).unwrap_or(&path).to_string_lossy().into_owned();
        Ok([name.as_bytes(), b"\n", &fs::read(&path)?].concat())
    }

    /// Folders stay, since wasmtime's own thread may write its statistics there at any time, and so does the lock by which
    /// it knows that it has cleaned up: it would begin again at every entry, and warn where files vanish meanwhile.
    fn clear(&self) {
        for path in self.files_on_desk().into_iter().filter(|path| path.file_stem() != Some(OsStr::new(CLEANUP_LOCK))) {
            let _ = fs::remove_file(path);
        }
    }

    fn files_on_desk(&self) -> Vec<PathBuf> {
        let (mut files, mut folders) = (Vec::new(), vec![self.desk.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files
    }
}

/// Compiles, or takes what was compiled before.
#[cfg(feature = "javascript")]
pub(crate) fn compile<T>(
    cache: Option<&NativeCache>,
    engine: &Engine,
    bytes: &[u8],
    compile: Compile<T>,
) -> wasmtime::Result<T> {
    match cache {
        Some(cache) => cache.compile(engine, bytes, compile),
        None => compile(engine, bytes),
    }
}

/// Whether a file is the right one is wasmtime's to say, by its name: this need not tell engines apart for certain.
fn key(engine: &Engine, bytes: &[u8]) -> String {
    let mut version = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut version);
    let mut digest = Sha256::new();
    digest.update(version.finish().to_le_bytes());
    digest.update(bytes);
    HEXLOWER.encode(&digest.finalize())
}
