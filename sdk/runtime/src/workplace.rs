//! Where another process compiles a plugin for this host: a folder of its own, with nothing in it but our own runtime of the
//! language, from which one file comes back.

use crate::{Host, LoadError, Source, cache, files::read_file, kept::PLUGINS, shared::Shared};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

/// The largest file that comes back.
const MOST: usize = 1 << 30;

/// A folder that is removed with this.
pub struct Workplace(TempDir);

impl Workplace {
    /// The `cache_dir` of whoever works here.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Host {
    /// Whether this host keeps what is compiled.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.0.kept.is_some()
    }

    /// Whether loading this compiles nothing and reads no source text. What is damaged does not count.
    pub async fn has_kept(&self, source: &Source) -> bool {
        let (shared, source) = (Arc::clone(&self.0), source.clone());
        // A large source takes a while to digest, once.
        let look = move || shared.kept.as_ref().is_some_and(|kept| kept.get(&shared.key(&source)).is_some());
        spawn_blocking(look).await.unwrap_or_default()
    }

    /// A workplace for this source.
    ///
    /// # Errors
    /// Where nothing can be kept.
    pub async fn workplace(&self, source: &Source) -> io::Result<Workplace> {
        // Our own runtime is compiled here, if it never was.
        let permit = self.0.compiling.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (shared, source) = (Arc::clone(&self.0), source.clone());
        let make = move || {
            let _permit = permit;
            let kept = shared.kept.as_ref().ok_or(io::ErrorKind::StorageFull)?;
            let folder = TempDir::new_in(kept.scratch().path())?;
            // Here rather than where it is asked for first: a large source takes a while.
            let _ = source.digest();
            if source.language != crate::Language::Wasm {
                furnish(&shared, crate::Kind::likely(source.bytes()), folder.path()).map_err(io::Error::other)?;
            }
            Ok(Workplace(folder))
        };
        spawn_blocking(make).await.map_err(io::Error::other)?
    }

    /// Takes the one file over that loading this source needs, under the key that this host knows for it.
    ///
    /// # Errors
    /// Where it is not there, or cannot be kept here.
    pub async fn adopt(&self, workplace: &Workplace, source: &Source) -> io::Result<()> {
        let key = self.0.key(source);
        let path = workplace.path().join(PLUGINS).join(&key);
        let shared = Arc::clone(&self.0);
        let take = move || {
            let kept = shared.kept.as_ref().ok_or(io::ErrorKind::NotFound)?;
            // Whoever worked there may have left a link to what it could not read itself.
            if !fs::symlink_metadata(&path)?.is_file() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let file = read_file(&path, MOST).map_err(io::Error::other)?;
            let bytes = cache::checked(&file).ok_or(io::ErrorKind::InvalidData)?;
            kept.keep(&key, bytes)
        };
        spawn_blocking(take).await.map_err(io::Error::other)?
    }
}

#[cfg(feature = "javascript")]
fn furnish(shared: &Shared, kind: Option<crate::Kind>, folder: &Path) -> Result<(), LoadError> {
    let files = shared.javascript.runtime_files(&shared.engine, &shared.linker, kind)?;
    let copy = |(part, path): &(&str, PathBuf)| {
        let folder = folder.join(part);
        fs::create_dir_all(&folder)?;
        fs::copy(path, folder.join(path.file_name().unwrap_or_default()))
    };
    for file in &files {
        // Without it the compiler makes its own: that costs time.
        if let Err(error) = copy(file) {
            tracing::debug!(%error, "the compiler makes its own runtime");
        }
    }
    Ok(())
}

#[cfg(not(feature = "javascript"))]
fn furnish(_: &Shared, _: Option<crate::Kind>, _: &Path) -> Result<(), LoadError> {
    Ok(())
}
