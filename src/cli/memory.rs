//! How much memory the system gives the process.

/// Has the system give memory in small pages. With transparent huge pages (`always` in
/// `/sys/kernel/mm/transparent_hugepage/enabled`, as of many distributions), each 2 MiB in which the allocator or a plugin
/// touches a byte become resident as a whole, which is a third of an idle server, and no token takes less processor time for
/// it (docs/performance.md). The same as `MIMALLOC_ALLOW_THP=0`; what the process starts inherits it.
#[cfg(target_os = "linux")]
pub(super) fn use_small_pages() {
    // A system that refuses gives more memory than is needed.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Other systems have no such pages.
#[cfg(not(target_os = "linux"))]
pub(super) fn use_small_pages() {}
