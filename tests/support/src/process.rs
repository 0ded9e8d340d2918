//! The real binary in a process of its own, for tests of several processes and of crashes.

use crate::{Api, Home};
use std::ops::Deref;
use std::path::PathBuf;
use std::process::{ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

const LISTENS: &str = "Claimsmith listens on http://";
/// Ticks per second of the times in `/proc`: fixed for user space, whatever the kernel's own.
const TICKS_PER_SECOND: f64 = 100.0;
/// How long a server may take to start or to stop; far more than it needs.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A server process; killed when this value is dropped.
pub struct Process {
    /// What it told whoever started it.
    pub stdout: Lines,
    /// Its log.
    pub stderr: Lines,
    child: Child,
    readers: Vec<JoinHandle<()>>,
    api: Api,
}

impl Process {
    /// Starts `binary` (`env!("CARGO_BIN_EXE_claimsmith")`) in `home`, and waits until it is ready. The error is what it
    /// wrote before it ended.
    pub async fn start(binary: &str, home: &Home, changes: &[(&str, &str)]) -> Result<Self, String> {
        Self::start_by(&[binary.to_owned()], home, changes).await
    }

    /// The same by a longer command, which must become the server without a process between.
    pub async fn start_by(words: &[String], home: &Home, changes: &[(&str, &str)]) -> Result<Self, String> {
        let mut started = Self::listening_by(words, home, changes).await?;
        let http = unpooled();
        let ready = tokio::time::timeout(TIMEOUT, async {
            while started.status_by(&http).await == Some(503) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        if ready.await.is_err() {
            started.kill().await;
            return Err(format!("it does not become ready:\n{}", started.stderr.text()));
        }
        Ok(started)
    }

    /// Starts `binary`, and waits only until it listens: it may still load its plugins.
    pub async fn listening(binary: &str, home: &Home, changes: &[(&str, &str)]) -> Result<Self, String> {
        Self::listening_by(&[binary.to_owned()], home, changes).await
    }

    /// What it answers to the question whether it is ready; `None` if it does not answer.
    pub async fn status(&self) -> Option<u16> {
        self.status_by(&unpooled()).await
    }

    async fn status_by(&self, http: &reqwest::Client) -> Option<u16> {
        let answer = http.get(self.url("/api/status")).send().await.ok()?;
        Some(answer.status().as_u16())
    }

    async fn listening_by(words: &[String], home: &Home, changes: &[(&str, &str)]) -> Result<Self, String> {
        let mut command = Self::command(&words[0], home, changes);
        command.args(&words[1..]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (stdout, stderr) = (Lines::default(), Lines::default());
        let readers = vec![stdout.follow(child.stdout.take().unwrap()), stderr.follow(child.stderr.take().unwrap())];
        let line = tokio::select! {
            line = stdout.wait_for(LISTENS) => Some(line),
            _ = child.wait() => None,
        };
        let Some(line) = line else {
            for reader in readers {
                reader.await.unwrap();
            }
            return Err(stderr.text());
        };
        // A line of text, or the message of a line of JSON.
        let listen = line.split(LISTENS).nth(1).unwrap().split(';').next().unwrap().parse().unwrap();
        let data_dir = PathBuf::from(&home.environment(changes)["CLAIMSMITH_DATA_DIR"]);
        // The server may see a folder that its test does not.
        let seen = PathBuf::from(format!("/proc/{}/root{}", child.id().unwrap(), data_dir.display()));
        let made = home.report(&data_dir).or_else(|| home.report(&seen));
        let made = made.unwrap_or_else(|| panic!("no bootstrap report:\n{}", stderr.text()));
        let api = Api::new(listen, made);
        Ok(Self { stdout, stderr, child, readers, api })
    }

    /// Runs `binary` with a subcommand to its end.
    pub async fn run(binary: &str, home: &Home, changes: &[(&str, &str)], arguments: &[&str]) -> Output {
        Self::command(binary, home, changes).args(arguments).output().await.unwrap()
    }

    /// Bytes of memory that it holds now.
    #[must_use]
    pub fn resident_memory(&self) -> u64 {
        self.memory("VmRSS:")
    }

    /// Bytes of them that belong to no file: what it allocated, without the parts of its program that were used so far.
    #[must_use]
    pub fn allocated_memory(&self) -> u64 {
        self.memory("RssAnon:")
    }

    /// The most bytes of memory that it has held at once since the start, or since [`Self::reset_peak_memory`].
    #[must_use]
    pub fn peak_memory(&self) -> u64 {
        self.memory("VmHWM:")
    }

    /// From now on the peak is that of what follows (proc(5), `clear_refs`).
    pub fn reset_peak_memory(&self) {
        std::fs::write(format!("/proc/{}/clear_refs", self.id()), "5").unwrap();
    }

    fn memory(&self, field: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// CPU time, user and system, that it has taken so far.
    #[must_use]
    pub fn cpu_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        // The name may hold anything but ends at the last parenthesis; user and system are the fields 14 and 15.
        let after_name = stat.rsplit_once(')').unwrap().1;
        let ticks: f64 = after_name.split_whitespace().skip(11).take(2).map(|time| time.parse::<f64>().unwrap()).sum();
        ticks / TICKS_PER_SECOND
    }

    /// The id of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Kills it as a power cut would (SIGKILL), and waits until it is gone.
    pub async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Asks it to stop (SIGTERM).
    pub async fn signal(&self) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    }

    /// Asks it to stop, and answers how it ended.
    pub async fn terminate(&mut self) -> ExitStatus {
        self.signal().await;
        self.end().await
    }

    /// Waits until it has ended. All that it wrote has been read then.
    pub async fn end(&mut self) -> ExitStatus {
        let status = tokio::time::timeout(TIMEOUT, self.child.wait()).await.unwrap().unwrap();
        for reader in self.readers.drain(..) {
            reader.await.unwrap();
        }
        status
    }

    /// Nothing of the test's own environment reaches it.
    fn command(binary: &str, home: &Home, changes: &[(&str, &str)]) -> Command {
        let mut command = Command::new(binary);
        command.env_clear().envs(home.environment(changes)).current_dir(home.folder()).kill_on_drop(true);
        command
    }
}

/// A client that keeps no connection: some tests count them.
fn unpooled() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap()
}

impl Deref for Process {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

/// The lines that a process writes.
#[derive(Clone, Default)]
pub struct Lines(Arc<(Mutex<Vec<String>>, Notify)>);

impl Lines {
    /// All of them so far.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.0.lock().unwrap().join("\n")
    }

    /// The first line with this text in it, once it is there.
    pub async fn wait_for(&self, text: &str) -> String {
        let found = tokio::time::timeout(TIMEOUT, async {
            loop {
                let changed = self.0.1.notified();
                if let Some(line) = self.0.0.lock().unwrap().iter().find(|line| line.contains(text)) {
                    return line.clone();
                }
                changed.await;
            }
        });
        found.await.unwrap_or_else(|_| panic!("no {text:?} in:\n{}", self.text()))
    }

    fn follow(&self, stream: impl AsyncRead + Send + Unpin + 'static) -> JoinHandle<()> {
        let lines = self.clone();
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream).lines();
            while let Ok(Some(line)) = stream.next_line().await {
                lines.0.0.lock().unwrap().push(line);
                lines.0.1.notify_waiters();
            }
        })
    }
}
