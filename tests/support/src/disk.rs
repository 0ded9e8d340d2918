//! A disk so small that a test can fill it: a tmpfs that only the server under test sees.

use crate::Process;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where programs are found; a server of a test is started without an environment.
const PATH: &str = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";

/// Mounts a disk of `$2` MiB at `$1`, fills it when `$3` says so, and becomes the server.
const SCRIPT: &str = "mount -t tmpfs -o mode=700,size=$2m none \"$1\" || exit
    [ $3 = empty ] || head -c $2M /dev/zero > \"$1/filler\"
    exec \"$4\"";

/// A folder that is a small disk to one server.
pub struct SmallDisk {
    folder: PathBuf,
    mebibytes: u32,
    options: &'static [&'static str],
}

impl SmallDisk {
    /// None where the system lets nobody mount, which is said: a test without its subject must not look like one that
    /// passed. `.ci/run` says it again at its end.
    #[must_use]
    pub fn new(folder: &Path, mebibytes: u32) -> Option<Self> {
        let ways: [&[&str]; 2] = [&["--mount"], &["--map-root-user", "--mount"]];
        let works = |options: &&&[&str]| {
            let mut probe = Command::new("unshare");
            probe.args(**options).args(["mount", "-t", "tmpfs", "none", "/mnt"]).stderr(Stdio::null());
            probe.status().is_ok_and(|status| status.success())
        };
        let Some(options) = ways.iter().find(works) else {
            // Past the capture of the test harness.
            let _ = writeln!(std::io::stderr(), "LEFT OUT: no file system can be mounted here");
            return None;
        };
        std::fs::create_dir_all(folder).unwrap();
        Some(Self { folder: folder.to_owned(), mebibytes, options })
    }

    /// The command that starts `binary` on it, while it is empty or `full` already.
    #[must_use]
    pub fn command(&self, binary: &str, full: bool) -> Vec<String> {
        let (size, state) = (self.mebibytes.to_string(), if full { "full" } else { "empty" });
        let folder = self.folder.to_str().unwrap();
        let words = [["/usr/bin/env", PATH, "unshare"].as_slice(), self.options, &["sh", "-c", SCRIPT, "sh"]];
        words.concat().into_iter().chain([folder, &size, state, binary]).map(str::to_owned).collect()
    }

    /// The folder as this server sees it.
    #[must_use]
    pub fn seen_by(&self, server: &Process) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{}", server.id(), self.folder.display()))
    }

    /// Leaves no more room on it than this many bytes.
    pub fn fill(&self, server: &Process, room: u64) {
        let filler = self.seen_by(server).join("filler");
        let mut filler = OpenOptions::new().create(true).append(true).open(filler).unwrap();
        loop {
            match filler.write_all(&[0; 4096]) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => break,
                Err(error) => panic!("{error}"),
            }
        }
        filler.set_len(filler.metadata().unwrap().len() - room).unwrap();
    }

    /// Makes room again.
    pub fn free(&self, server: &Process) {
        std::fs::remove_file(self.seen_by(server).join("filler")).unwrap();
    }
}
