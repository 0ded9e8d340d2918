//! A cache of files between starts: a folder that only this user can enter, each file with a digest of its contents,
//! written to the scratch directory and renamed into place. A damaged file counts as missing.

use crate::{private_folder::private_folder, scratch_directory::ScratchDirectory};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::SystemTime,
};

/// Bytes that a folder may hold; the least recently used files are removed first.
const MAX_FOLDER_BYTES: u64 = 1 << 30;

/// Bytes of the digest that begins a file.
const DIGEST_BYTES: usize = 32;

/// Files that are kept in memory because the disk is full.
const MAX_HELD_FILES: usize = 16;

/// Bytes of a file that are read at once where it is only verified.
const PIECE_BYTES: usize = 64 << 10;

/// A folder of bytes by key. Keys are made of hexadecimal digits, letters and dashes by the caller.
pub(crate) struct DiskCache {
    folder: PathBuf,
    scratch: Arc<ScratchDirectory>,
    max_bytes: u64,
    write_failures: AtomicUsize,
    /// Files for which the disk has no room, until they are read once.
    held: Mutex<HashMap<String, Bytes>>,
}

impl DiskCache {
    pub(crate) fn new(folder: &Path, scratch: Arc<ScratchDirectory>) -> io::Result<Self> {
        Ok(Self {
            folder: private_folder(folder)?,
            scratch,
            max_bytes: MAX_FOLDER_BYTES,
            write_failures: AtomicUsize::new(0),
            held: Mutex::default(),
        })
    }

    /// Where the file of this key is, if there is one.
    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// This process's scratch directory beside it.
    pub(crate) fn scratch(&self) -> &ScratchDirectory {
        &self.scratch
    }

    pub(crate) fn get(&self, key: &str) -> Option<Bytes> {
        if let Some(file) = self.held().remove(key) {
            return Some(file.slice(DIGEST_BYTES..));
        }
        let path = self.path(key);
        let file = Bytes::from(fs::read(&path).ok()?);
        if verified_contents(&file).is_none() {
            self.remove_damaged(key);
            return None;
        }
        touch(&path);
        Some(file.slice(DIGEST_BYTES..))
    }

    /// Whether there is an intact entry, which is read piece by piece.
    pub(crate) fn contains(&self, key: &str) -> bool {
        if self.held().contains_key(key) {
            return true;
        }
        let path = self.path(key);
        let Ok(is_intact) = is_intact(&path) else { return false };
        if is_intact {
            touch(&path);
        } else {
            self.remove_damaged(key);
        }
        is_intact
    }

    fn remove_damaged(&self, key: &str) {
        tracing::warn!(key, "a file in the plugin cache is damaged; it is removed and made again");
        self.remove(key);
    }

    /// Removes an entry that cannot be used.
    pub(crate) fn remove(&self, key: &str) {
        let _ = fs::remove_file(self.path(key));
    }

    /// A cache that cannot be written costs time, not correctness: the failure is logged and counted.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        if let Err(error) = self.try_put(key, bytes) {
            self.record_write_failure(key, &error);
        }
    }

    /// The same, where the caller reports the failure.
    pub(crate) fn try_put(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        self.write(key, [&Sha256::digest(bytes), bytes])
    }

    /// The same for the file of another cache: its digest and its contents, which [`verified_contents`] has compared.
    pub(crate) fn try_put_file(&self, key: &str, file: &[u8]) -> io::Result<()> {
        self.write(key, [file])
    }

    /// Keeps the file of another cache in memory until it is read, once: the disk has no room for it.
    pub(crate) fn hold(&self, key: &str, file: Vec<u8>) {
        self.record_write_failure(key, &io::ErrorKind::StorageFull.into());
        let mut held = self.held();
        // Only plugins that were removed while they were compiled are still there.
        if held.len() >= MAX_HELD_FILES {
            held.clear();
        }
        held.insert(key.to_owned(), file.into());
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        // Nothing panics while it is held.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<'p>(&self, key: &str, parts: impl IntoIterator<Item = &'p [u8]>) -> io::Result<()> {
        let part = self.scratch.path().join(format!("{key}.part"));
        let write = || {
            let mut file = File::create(&part)?;
            parts.into_iter().try_for_each(|bytes| file.write_all(bytes))?;
            fs::rename(&part, self.folder.join(key))?;
            self.prune()
        };
        // Half a file would take what little room there is.
        write().inspect_err(|_| _ = fs::remove_file(&part))
    }

    /// Logs and counts a failed write.
    pub(crate) fn record_write_failure(&self, key: &str, error: &io::Error) {
        self.write_failures.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(key, %error, "the plugin cache cannot be written; the plugin will be compiled again at the next start");
    }

    /// How many writes failed.
    pub(crate) fn write_failures(&self) -> usize {
        self.write_failures.load(Ordering::Relaxed)
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
            if held <= self.max_bytes {
                break;
            }
            let _ = fs::remove_file(path);
            held -= size;
        }
        Ok(())
    }
}

/// The contents of a file, if they match its digest.
pub(crate) fn verified_contents(file: &[u8]) -> Option<&[u8]> {
    let (digest, bytes) = file.split_at_checked(DIGEST_BYTES)?;
    (Sha256::digest(bytes).as_slice() == digest).then_some(bytes)
}

/// Whether the disk, or this user's share of it, has no room.
#[must_use]
pub fn is_disk_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn is_intact(path: &Path) -> io::Result<bool> {
    let (mut file, mut expected, mut digest) = (File::open(path)?, [0; DIGEST_BYTES], Sha256::new());
    match file.read_exact(&mut expected) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        read => read?,
    }
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(digest.finalize().as_slice() == expected),
            length => digest.update(&piece[..length]),
        }
    }
}

/// Sets the time of last use, which decides the order in which files are removed.
#[expect(clippy::disallowed_methods, reason = "it is compared to what the file system writes down by its own clock")]
fn touch(path: &Path) {
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

#[cfg(test)]
mod tests;
