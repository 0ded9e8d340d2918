//! Runs the compiler process once: writes its input, reads its output, and ends it at its deadline.

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
    time::timeout,
};

/// The most that is read of a report, in bytes; the child keeps its own below.
const MAX_REPORT_BYTES: u64 = 16 << 20;

/// The most that is kept of what it complains.
const MAX_STDERR_BYTES: u64 = 16 << 10;

/// How the system and the allocator word that there was no memory.
const NO_MEMORY: [&str; 3] = ["memory allocation of", "Cannot allocate memory", "out of memory"];

/// How a child ended.
#[derive(Debug)]
pub(super) enum Ending {
    /// It answered.
    Report(Vec<u8>),
    /// Its time was up.
    TimedOut,
    /// It was not given the memory that it asked for.
    OutOfMemory,
    /// A signal ended it.
    Killed(String),
    /// It gave up; what it complained.
    Failed(String),
}

/// Runs `program` on a job. A caller that gives up takes the child along.
pub(super) async fn run(program: &Path, header: &[u8], source: &[u8], time: Duration) -> io::Result<Ending> {
    let mut child = spawn(program)?;
    let ended = timeout(time, talk(&mut child, header, source)).await;
    let Ok(ended) = ended else {
        child.kill().await?;
        return Ok(Ending::TimedOut);
    };
    let (status, report, errors) = ended?;
    Ok(ending(status, report, &String::from_utf8_lossy(&errors)))
}

/// Nothing of the server's environment reaches the child: it holds secrets, and the child needs none of it.
fn spawn(program: &Path) -> io::Result<Child> {
    Command::new(program)
        .arg0("claimsmith")
        .arg("compile-plugin")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

async fn talk(child: &mut Child, header: &[u8], source: &[u8]) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let mut input = child.stdin.take();
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(input) = &mut input {
            // A child that ended early says why in another way.
            let _ = input.write_all(header).await;
            let _ = input.write_all(source).await;
        }
    };
    let ((), report, errors) = tokio::join!(feed, read(output, MAX_REPORT_BYTES), read(errors, MAX_STDERR_BYTES));
    let status = child.wait().await?;
    // Kept open until here: the child takes its end for the server's.
    drop(input);
    Ok((status, report?, errors?))
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
    let is = |signal: rustix::process::Signal| status.signal() == Some(signal.as_raw());
    if status.success() {
        Ending::Report(report)
    } else if is(rustix::process::Signal::XCPU) {
        Ending::TimedOut
    } else if no_memory {
        Ending::OutOfMemory
    } else if status.signal().is_some() {
        Ending::Killed(format!("{status}{}{errors}", if errors.is_empty() { "" } else { ": " }))
    } else {
        Ending::Failed(errors.trim().to_owned())
    }
}
