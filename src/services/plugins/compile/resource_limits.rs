//! Resource limits of the compiler process (rlimits, niceness, OOM score), set before it reads any input.

use claimsmith_runtime::MAX_COMPILED_BYTES;
use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
use std::{fs, io, time::Duration};

/// The niceness of the child: its priority is lower than that of the threads that serve requests.
const NICENESS: i32 = 10;

/// Lowers the priority of this process. Threads inherit it, so it must be called before the first thread starts.
pub(super) fn lower_priority() {
    // A failure only affects the priority.
    let _ = nice(NICENESS);
}

/// Makes the out-of-memory killer prefer this process to the server, and disables core dumps.
pub(super) fn prefer_oom_kill() {
    // If memory runs out, the system kills the child, not the server.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let _ = limit(Resource::Core, 0);
}

/// Limits memory, processor time and the size of each file. It counts writable memory, not the address space that the
/// pool of instances reserves. The largest file is the maximum that the server accepts.
pub(super) fn set(memory: usize, time: Duration) -> io::Result<()> {
    limit(Resource::Fsize, u64::try_from(MAX_COMPILED_BYTES).unwrap_or(u64::MAX))?;
    limit(Resource::Data, u64::try_from(memory).unwrap_or(u64::MAX))?;
    limit(Resource::Cpu, time.as_secs().saturating_add(1))
}

fn limit(resource: Resource, most: u64) -> io::Result<()> {
    // A limit that is stricter already stays.
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}
