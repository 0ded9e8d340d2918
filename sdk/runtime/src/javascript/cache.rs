//! Files that a later start may trust: a folder that only this user can enter, each file with the digest of what it
//! holds, written beside and renamed into place. A damaged file is as good as none.

use crate::folder::private_folder;
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// A folder of bytes by key. Keys are made of hexadecimal digits, letters and dashes by the caller.
pub(crate) struct Cache {
    folder: PathBuf,
    written: AtomicUsize,
}

impl Cache {
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { folder: private_folder(folder)?, written: AtomicUsize::new(0) })
    }

    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.folder.join(key)).ok()?;
        let digest: Vec<u8> = bytes.drain(..32.min(bytes.len())).collect();
        if Sha256::digest(&bytes).as_slice() != digest {
            tracing::warn!(key, "a damaged file in the plugin cache is made anew");
            return None;
        }
        Some(bytes)
    }

    /// A cache that cannot be written costs time, not correctness: the failure is logged.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        let write = || {
            let count = self.written.fetch_add(1, Ordering::Relaxed);
            let part = self.folder.join(format!("{key}.{}-{count}.part", std::process::id()));
            fs::write(&part, [Sha256::digest(bytes).as_slice(), bytes].concat())?;
            fs::rename(part, self.folder.join(key))
        };
        if let Err(error) = write() {
            tracing::warn!(key, %error, "the plugin cache cannot be written");
        }
    }
}
