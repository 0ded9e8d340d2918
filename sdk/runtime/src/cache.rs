//! Files that a later start may trust: a folder that only this user can enter, each file with the digest of what it
//! holds, written elsewhere and renamed into place. A damaged file is as good as none.

use crate::{folder::private_folder, scratch::Scratch};
use sha2::{Digest, Sha256};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::SystemTime,
};

/// Bytes that a folder may hold; what was used longest ago goes first.
const MOST: u64 = 1 << 30;

/// Bytes of the digest that begins a file.
const DIGEST: usize = 32;

/// A folder of bytes by key. Keys are made of hexadecimal digits, letters and dashes by the caller.
pub(crate) struct Cache {
    folder: PathBuf,
    scratch: Arc<Scratch>,
    most: u64,
    unkept: AtomicUsize,
}

impl Cache {
    pub(crate) fn new(folder: &Path, scratch: Arc<Scratch>) -> io::Result<Self> {
        Ok(Self { folder: private_folder(folder)?, scratch, most: MOST, unkept: AtomicUsize::new(0) })
    }

    /// Where the file of this key is, if there is one.
    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// This process's own folder beside it.
    pub(crate) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut bytes = fs::read(&path).ok()?;
        if checked(&bytes).is_none() {
            tracing::warn!(key, "a damaged file in the plugin cache is made anew");
            self.remove(key);
            return None;
        }
        touch(&path);
        bytes.drain(..DIGEST);
        Some(bytes)
    }

    /// Forgets what cannot be used.
    pub(crate) fn remove(&self, key: &str) {
        let _ = fs::remove_file(self.path(key));
    }

    /// A cache that cannot be written costs time, not correctness: the failure is logged and counted.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        if let Err(error) = self.keep(key, bytes) {
            self.failed(key, &error);
        }
    }

    /// The same where the failure is the caller's to tell.
    pub(crate) fn keep(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let part = self.scratch.path().join(format!("{key}.part"));
        let write = || {
            fs::write(&part, [Sha256::digest(bytes).as_slice(), bytes].concat())?;
            fs::rename(&part, self.folder.join(key))?;
            self.prune()
        };
        // Half a file would take what little room there is.
        write().inspect_err(|_| _ = fs::remove_file(&part))
    }

    /// Counts something that could not be kept.
    pub(crate) fn failed(&self, key: &str, error: &io::Error) {
        self.unkept.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(key, %error, "the plugin cache cannot be written");
    }

    /// How often something could not be kept.
    pub(crate) fn unkept(&self) -> usize {
        self.unkept.load(Ordering::Relaxed)
    }

    fn prune(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            // Another process may have removed it in between.
            if let Ok(meta) = entry.metadata()
                && meta.is_file()
            {
                files.push((meta.modified()?, meta.len(), entry.path()));
            }
        }
        let mut held: u64 = files.iter().map(|(_, size, _)| size).sum();
        files.sort();
        for (_, size, path) in files {
            if held <= self.most {
                break;
            }
            let _ = fs::remove_file(path);
            held -= size;
        }
        Ok(())
    }
}

/// What a file holds, if its digest is right.
pub(crate) fn checked(file: &[u8]) -> Option<&[u8]> {
    let (digest, bytes) = file.split_at_checked(DIGEST)?;
    (Sha256::digest(bytes).as_slice() == digest).then_some(bytes)
}

/// Says that a file was used. Only the order in which files go depends on it.
#[expect(clippy::disallowed_methods, reason = "it is compared to what the file system writes down by its own clock")]
fn touch(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

#[cfg(test)]
mod tests;
