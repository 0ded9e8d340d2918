//! File stamps (inode, size, change time), which tell whether a file may have changed without reading it.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt,
    time::{Duration, SystemTime},
};

/// The file system's stamp of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    identity: (u64, u64),
    len: u64,
    /// When inode or content last changed, in seconds and nanoseconds; unlike the modification time, it cannot be set.
    changed: (i64, i64),
}

/// Two writes within the granularity of the file system's clock have the same stamp, so the stamp of a file that has
/// just changed is not reliable.
const CLOCK_GRANULARITY: Duration = Duration::from_secs(2);

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Self {
        Self { identity: identity(meta), len: meta.len(), changed: (meta.ctime(), meta.ctime_nsec()) }
    }

    /// Whether the same stamp later will mean the same content as now.
    #[expect(clippy::disallowed_methods, reason = "it is compared with the file system's time, not with the server's")]
    pub(super) fn is_settled(&self) -> bool {
        let long_ago = SystemTime::now() - CLOCK_GRANULARITY;
        let since_epoch = long_ago.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_secs()).is_ok_and(|seconds| seconds > self.changed.0)
    }
}

/// The identity of a file or folder, independent of its name.
pub(super) fn identity(meta: &Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}
