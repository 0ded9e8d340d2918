//! Processes of a benchmark: pinning them to cores, measuring their CPU time, and ending them with it.

use anyhow::{Context, Result, bail};
use std::process::{Child, Command};

/// Ticks per second of the times in `/proc`: fixed for user space, whatever the kernel's own.
const TICKS_PER_SECOND: f64 = 100.0;

/// A process that is killed when this is dropped.
pub(crate) struct Running(Child);

impl Running {
    /// Starts `command` on `core`.
    pub(crate) fn start(core: usize, command: &Command) -> Result<Self> {
        let mut pinned = Command::new("taskset");
        pinned.args(["-c", &core.to_string()]).arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => pinned.env(name, value),
                None => pinned.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            pinned.current_dir(folder);
        }
        pinned.stdout(std::process::Stdio::null());
        // taskset becomes the command, so the id is the command's own.
        Ok(Self(pinned.spawn().context("taskset (of util-linux) cannot be run")?))
    }

    /// Its id.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Fails if it has ended.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.0.try_wait()? {
            Some(status) => bail!("a server ended by itself: {status}"),
            None => Ok(()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that ended by itself has left nothing to kill.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The core for servers and the core for the load: first and last.
pub(crate) fn cores() -> (usize, usize) {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    (0, count - 1)
}

/// Moves this thread, and all that it will start, to `core`.
pub(crate) fn pin_self(core: usize) -> Result<()> {
    let id = std::process::id().to_string();
    let output = Command::new("taskset").args(["-cp", &core.to_string(), &id]).output();
    if !output.context("taskset (of util-linux) cannot be run")?.status.success() {
        bail!("the load cannot be pinned to core {core}");
    }
    Ok(())
}

/// CPU time, user and system, that a process and its threads have taken.
pub(crate) fn cpu_seconds(process_id: u32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process_id}/stat"))?;
    // The second field is the program's name in parentheses and may hold anything; user and system are 14 and 15.
    let after_name = stat.rsplit_once(')').context("/proc/*/stat without a name")?.1;
    let times: Vec<&str> = after_name.split_whitespace().skip(11).take(2).collect();
    let ticks: f64 = times.iter().map(|time| time.parse::<f64>()).sum::<Result<f64, _>>()?;
    Ok(ticks / TICKS_PER_SECOND)
}
