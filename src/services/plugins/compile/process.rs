//! Runs the compiler process once: writes its input, reads its output, and kills it at its deadline, with everything
//! that it started.

use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::{
    io,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
    task::spawn_blocking,
    time::timeout,
};

/// The largest report that is read; the child keeps its reports below that.
const MAX_REPORT_BYTES: u64 = 16 << 20;

/// The most bytes of standard error that are kept.
const MAX_STDERR_BYTES: u64 = 16 << 10;

/// The messages of the system and the allocator when there is not enough memory.
const NO_MEMORY: [&str; 3] = ["memory allocation of", "Cannot allocate memory", "out of memory"];

/// How a child ended.
#[derive(Debug)]
pub(super) enum Ending {
    /// It wrote a report.
    Report(Vec<u8>),
    /// It exceeded its time limit.
    TimedOut,
    /// It exceeded its memory limit.
    OutOfMemory,
    /// A signal ended it.
    Killed(String),
    /// It failed; its standard error.
    Failed(String),
}

/// The process group of a child, killed when this is dropped. The child must not be reaped before: until then no other
/// process can have its id.
struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    /// Waits until the child has ended, and does not reap it.
    async fn wait(&self) -> io::Result<()> {
        let Some(leader) = self.0 else { return Ok(()) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let wait = move || retry_on_intr(|| waitid(WaitId::Pid(leader), options));
        spawn_blocking(wait).await.map_err(io::Error::other)??;
        Ok(())
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // Kills any process that is left in the group.
        if let Some(leader) = self.0 {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

/// Runs `program` on a job. Afterwards, and if the future is dropped, the child and everything that it started is
/// killed.
pub(super) async fn run(program: &Path, header: &[u8], source: &[u8], time: Duration) -> io::Result<Ending> {
    let mut child = spawn(program)?;
    // Dropped before the child, which is reaped when it is dropped.
    let group = ProcessGroup::of(&child);
    let ended = timeout(time, talk(&mut child, &group, header, source)).await;
    drop(group);
    let status = child.wait().await?;
    let Ok(ended) = ended else { return Ok(Ending::TimedOut) };
    let (report, errors) = ended?;
    Ok(ending(status, report, &String::from_utf8_lossy(&errors)))
}

/// The child gets nothing of the server's environment: it has secrets, and the child needs none of it.
fn spawn(program: &Path) -> io::Result<Child> {
    Command::new(program)
        .arg0("claimsmith")
        .arg("compile-plugin")
        .env_clear()
        // The memory limit counts writable memory: the allocator must not commit memory before it is used.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .env("MIMALLOC_EAGER_COMMIT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
}

/// Its report and its standard error.
async fn talk(child: &mut Child, group: &ProcessGroup, header: &[u8], source: &[u8]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut input = child.stdin.take();
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(input) = &mut input {
            // If the child ended early, its exit status says why.
            let _ = input.write_all(header).await;
            let _ = input.write_all(source).await;
        }
    };
    let ((), report, errors) = tokio::join!(feed, read(output, MAX_REPORT_BYTES), read(errors, MAX_STDERR_BYTES));
    group.wait().await?;
    // Kept open until here: when it is closed, the child assumes that the server is gone.
    drop(input);
    Ok((report?, errors?))
}

/// Reads to the end and keeps the beginning.
async fn read(stream: Option<impl AsyncRead + Unpin>, most: u64) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    if let Some(mut stream) = stream {
        (&mut stream).take(most).read_to_end(&mut kept).await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    }
    Ok(kept)
}

fn ending(status: ExitStatus, report: Vec<u8>, errors: &str) -> Ending {
    let no_memory = NO_MEMORY.iter().any(|words| errors.contains(words));
    let is = |signal: Signal| status.signal() == Some(signal.as_raw());
    if status.success() {
        Ending::Report(report)
    } else if is(Signal::XCPU) {
        Ending::TimedOut
    } else if no_memory {
        Ending::OutOfMemory
    } else if status.signal().is_some() {
        Ending::Killed(format!("{status}{}{errors}", if errors.is_empty() { "" } else { ": " }))
    } else {
        Ending::Failed(errors.trim().to_owned())
    }
}
