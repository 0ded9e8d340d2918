//! Supervision and graceful shutdown: the tasks of the server, how they are stopped, and how long the server waits for
//! them.
//!
//! If a background task panics, the server stops, since the task's work would no longer be done. If one item of a task
//! panics, the task continues ([`contain`]).

use std::io;
use std::panic::AssertUnwindSafe;
use std::thread;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{error, info, warn};

/// The background tasks of one server. Clones refer to the same tasks.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    tracker: TaskTracker,
    stop: CancellationToken,
    hurry: CancellationToken,
}

impl Tasks {
    /// Runs `task` in the background; [`Tasks::drain`] waits for it. A panic stops the server: without one of its tasks
    /// it must not look healthy.
    pub fn spawn(&self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let alarm = Alarm { name, stop: self.stop.clone() };
        self.tracker.spawn(async move {
            let _alarm = alarm;
            task.await;
        });
    }

    /// Runs one item of a loop in the background, such as one delivery; [`Tasks::drain`] waits for it. A panic only
    /// ends the item.
    pub fn spawn_item(&self, name: &'static str, item: impl Future<Output = ()> + Send + 'static) {
        self.tracker.spawn(async move {
            // The panic was logged; the owner of the item notices that it has no result.
            let _ = contain(name, item).await;
        });
    }

    /// Is cancelled when the server is to stop. Long-running tasks end then; requests in progress are finished.
    #[must_use]
    pub fn stopping(&self) -> CancellationToken {
        self.stop.child_token()
    }

    /// Tells everything to stop.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Stops at SIGINT or SIGTERM; a second one ends the wait of [`Tasks::drain`]. Needs a Tokio runtime.
    ///
    /// # Errors
    /// The system's, if signals cannot be listened to.
    pub fn stop_on_signals(&self) -> io::Result<()> {
        let mut signals = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let (stop, hurry) = (self.stop.clone(), self.hurry.clone());
        // Not one of the tracked tasks: it listens for as long as the process lives.
        tokio::spawn(async move {
            let name = next(&mut signals).await;
            info!(signal = name, "stopping");
            stop.cancel();
            let name = next(&mut signals).await;
            warn!(signal = name, "stopping at once");
            hurry.cancel();
        });
        Ok(())
    }

    /// Stops, and waits until every task has ended, but no longer than `grace`.
    ///
    /// # Errors
    /// How many tasks were still running.
    pub async fn drain(&self, grace: Duration) -> Result<(), Unfinished> {
        self.stop.cancel();
        self.tracker.close();
        tokio::select! {
            biased;
            () = self.tracker.wait() => Ok(()),
            () = self.hurry.cancelled() => Err(Unfinished(self.tracker.len())),
            () = tokio::time::sleep(grace) => Err(Unfinished(self.tracker.len())),
        }
    }
}

/// An item panicked. The message of the panic is on standard error.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the task panicked")]
pub struct Panicked;

/// Runs one item of a loop. Shared state must stay consistent when it unwinds: locks that are poisoned, a transaction
/// that rolls back.
///
/// # Errors
/// That the task panicked.
pub async fn contain<T>(name: &'static str, item: impl Future<Output = T>) -> Result<T, Panicked> {
    AssertUnwindSafe(item).catch_unwind().await.map_err(|_| {
        error!(item = name, "an item of a background task panicked; the task continues");
        metrics::counter!("claimsmith_panicked_items_total", "item" => name).increment(1);
        Panicked
    })
}

/// The number of tasks that had not ended when the wait for them was over.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} tasks were still running")]
pub struct Unfinished(pub usize);

async fn next((interrupt, terminate): &mut (Signal, Signal)) -> &'static str {
    tokio::select! {
        _ = interrupt.recv() => "SIGINT",
        _ = terminate.recv() => "SIGTERM",
    }
}

/// Stops the server when the task that owns it unwinds.
struct Alarm {
    name: &'static str,
    stop: CancellationToken,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            error!(task = self.name, "a background task panicked; the server stops");
            self.stop.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

    use std::future::pending;
    use std::process::{Command, id};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn draining_lets_a_task_finish_what_it_does() {
        let tasks = Tasks::default();
        let finished = Arc::new(AtomicBool::new(false));
        let (stopping, flag) = (tasks.stopping(), finished.clone());
        tasks.spawn("worker", async move {
            stopping.cancelled().await;
            tokio::task::yield_now().await;
            flag.store(true, Ordering::SeqCst);
        });
        assert_eq!(tasks.drain(LONG).await, Ok(()));
        assert!(finished.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn draining_ends_with_the_grace() {
        let tasks = Tasks::default();
        tasks.spawn("stubborn", pending());
        assert_eq!(tasks.drain(Duration::from_millis(10)).await, Err(Unfinished(1)));
    }

    #[tokio::test]
    async fn a_panicking_task_stops_the_server() {
        let tasks = Tasks::default();
        tasks.spawn("fragile", async { panic!("on purpose") });
        tokio::time::timeout(LONG, tasks.stopping().cancelled()).await.unwrap();
        assert_eq!(tasks.drain(LONG).await, Ok(()));
    }

    #[tokio::test]
    async fn an_item_that_panics_ends_alone() {
        let tasks = Tasks::default();
        let (tell, told) = tokio::sync::oneshot::channel::<()>();
        tasks.spawn_item("fragile", async move {
            let _tell = tell;
            panic!("on purpose");
        });
        // It has unwound when the other half is gone.
        assert!(tokio::time::timeout(LONG, told).await.unwrap().is_err());
        let after_a_wait = async {
            tokio::task::yield_now().await;
            panic!("on purpose")
        };
        assert_eq!(contain::<()>("fragile", after_a_wait).await, Err(Panicked));
        assert_eq!(contain("sound", async { 7 }).await, Ok(7));
        assert!(!tasks.stopping().is_cancelled());
        assert_eq!(tasks.drain(LONG).await, Ok(()));
    }

    #[tokio::test]
    async fn the_first_signal_stops_and_the_second_hurries() {
        let tasks = Tasks::default();
        tasks.stop_on_signals().unwrap();
        tasks.spawn("stubborn", pending());

        send("TERM");
        tokio::time::timeout(LONG, tasks.stopping().cancelled()).await.unwrap();
        assert!(!tasks.hurry.is_cancelled());

        send("INT");
        assert_eq!(tokio::time::timeout(LONG, tasks.drain(LONG * 2)).await.unwrap(), Err(Unfinished(1)));
    }

    /// Sends a signal to this process, which handles it.
    fn send(signal: &str) {
        let status = Command::new("sh").args(["-c", &format!("kill -{signal} {}", id())]).status().unwrap();
        assert!(status.success());
    }
}
