//! Resource limits of the compiler process (rlimits, niceness, OOM score), set before it reads any input.

use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
use std::{fs, io, time::Duration};

/// How far the child stands back behind the threads that serve requests.
const NICENESS: i32 = 10;

/// Lets everything else on the machine go first. Threads inherit it, so it comes before the first.
pub(super) fn lower_priority() {
    // Nothing is lost where a system knows no such thing.
    let _ = nice(NICENESS);
}

/// Leaves nothing of itself, and none of the server's memory in danger.
pub(super) fn prefer_oom_kill() {
    // Where memory runs out, the system ends the child, not the server.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let _ = limit(Resource::Core, 0);
}

/// Limits memory and processor time. Counted is memory that can be written, not the address space that the pool of
/// instances reserves.
pub(super) fn set(memory: usize, time: Duration) -> io::Result<()> {
    limit(Resource::Data, u64::try_from(memory).unwrap_or(u64::MAX))?;
    limit(Resource::Cpu, time.as_secs().saturating_add(1))
}

fn limit(resource: Resource, most: u64) -> io::Result<()> {
    // A limit that is stricter already stays.
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}
