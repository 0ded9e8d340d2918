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

    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(key);
        let mut bytes = fs::read(&path).ok()?;
        let digest: Vec<u8> = bytes.drain(..32.min(bytes.len())).collect();
        if Sha256::digest(&bytes).as_slice() != digest {
            tracing::warn!(key, "a damaged file in the plugin cache is made anew");
            return None;
        }
        touch(&path);
        Some(bytes)
    }

    /// A cache that cannot be written costs time, not correctness: the failure is logged and counted.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        let part = self.scratch.path().join(format!("{key}.part"));
        let write = || {
            fs::write(&part, [Sha256::digest(bytes).as_slice(), bytes].concat())?;
            fs::rename(&part, self.folder.join(key))?;
            self.prune()
        };
        if let Err(error) = write() {
            // Half a file would take what little room there is.
            let _ = fs::remove_file(&part);
            self.failed(key, &error);
        }
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

/// Says that a file was used. Only the order in which files go depends on it.
#[expect(clippy::disallowed_methods, reason = "it is compared to what the file system writes down by its own clock")]
fn touch(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

#[cfg(test)]
mod tests;
