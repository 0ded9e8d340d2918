//! The scratch directory of one process, for files that are being written. It is removed when the process ends; if that
//! was killed, the next process to start removes it.

use crate::private_folder::private_folder;
use std::{
    fs::{self, File},
    io,
    path::Path,
};
use tempfile::TempDir;

/// The file whose lock says that its folder is in use. The system releases it when a process ends, however that comes.
const LOCK: &str = "lock";

/// This process's own scratch directory.
pub(crate) struct ScratchDirectory {
    folder: TempDir,
    _lock: File,
}

impl ScratchDirectory {
    /// Makes one in `folder`, and removes those that no process uses any more.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        let folder = private_folder(folder)?;
        // Held while folders come and go, so that none is taken for abandoned before its owner has locked it. Where a
        // file system knows no locks, none is.
        let folder_lock = File::create(folder.join(LOCK))?;
        let _ = folder_lock.lock();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && is_abandoned(&path) {
                let _ = fs::remove_dir_all(path);
            }
        }
        let own = TempDir::new_in(&folder)?;
        let lock = File::create(own.path().join(LOCK))?;
        let _ = lock.lock();
        Ok(Self { folder: own, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn is_abandoned(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        // Its owner was killed before it had one.
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
