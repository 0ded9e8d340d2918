//! Watches the plugin folder: by file system events, debounced, and by polling, since some file systems send none.

use super::{folder::FolderEntry, loader::Loader, stamp::identity};
use crate::supervisor::contain;
use claimsmith_domain::documents::plugin::Origin;
use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{Notify, mpsc, oneshot},
    task::JoinHandle,
    time::{Instant, sleep, sleep_until, timeout_at},
};

/// A change is loaded when nothing has changed for this long, since editors and copies write in several steps.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// A folder that changes all the time is scanned after this time anyway.
const MAX_DEBOUNCE: Duration = Duration::from_secs(2);

/// The task that watches the folder and loads the plugins of the store; it ends when this is dropped.
pub(super) struct Watcher {
    task: JoinHandle<()>,
    store: mpsc::Sender<StoreUpdate>,
}

/// The plugins of the store, and the caller that waits until they are active.
struct StoreUpdate {
    entries: Vec<FolderEntry>,
    /// Receives the names of those to retry.
    done: oneshot::Sender<Vec<String>>,
}

impl Watcher {
    pub(super) fn start(mut loader: Loader, mut watch: Watch, poll: Duration) -> Self {
        let (store, mut deliveries) = mpsc::channel::<StoreUpdate>(1);
        let compiled = loader.compiled(Origin::Folder);
        let task = tokio::spawn(async move {
            // The store comes first, since it has precedence.
            let Some(update) = deliveries.recv().await else { return };
            take_in(&mut loader, update, true).await;
            while !matches!(contain("plugin folder", loader.first_scan()).await, Ok(true)) {
                loader.forget_scans();
                sleep(poll).await;
                watch.renew();
            }
            let mut next_look = Instant::now() + poll;
            loop {
                tokio::select! {
                    Some(update) = deliveries.recv() => {
                        take_in(&mut loader, update, false).await;
                        continue;
                    }
                    Some(started) = loader.next_started() => {
                        // A panic was logged.
                        if contain("plugin of the start", loader.settle(started)).await.is_err() {
                            loader.forget_started();
                        }
                        continue;
                    }
                    () = watch.signal.event.notified() => watch.signal.settle().await,
                    () = compiled.notified() => {}
                    () = sleep_until(next_look) => {}
                }
                let round = async {
                    // First, so that what changes during the scan is noticed.
                    watch.renew();
                    loader.rescan().await;
                };
                // A panic was logged; the next round begins anew.
                if contain("plugin folder", round).await.is_err() {
                    loader.forget_scans();
                }
                next_look = Instant::now() + poll;
            }
        });
        Self { task, store }
    }

    /// Loads the plugins of the store, and returns the names of those to retry: all, if the task has ended.
    pub(super) async fn deliver(&self, entries: Vec<FolderEntry>) -> Vec<String> {
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        let (done, outcome) = oneshot::channel();
        if self.store.send(StoreUpdate { entries, done }).await.is_err() {
            return names;
        }
        outcome.await.unwrap_or(names)
    }

    pub(super) fn is_running(&self) -> bool {
        !self.task.is_finished()
    }
}

/// Loads the plugins of the store, and tells the caller, who may have given up.
async fn take_in(loader: &mut Loader, StoreUpdate { entries, done }: StoreUpdate, first: bool) {
    let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    let applied = contain("plugins of the store", loader.apply_store(entries, first)).await;
    let again = applied.unwrap_or_else(|_| {
        loader.forget_scans();
        names
    });
    let _ = done.send(again);
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The system's events for one folder, which may vanish and come back.
pub(super) struct Watch {
    folder: PathBuf,
    signal: Arc<Signal>,
    /// None where the system offers no events.
    events: Option<RecommendedWatcher>,
    /// The identity of the watched folder, independent of its current name.
    watched: Option<(u64, u64)>,
}

#[derive(Default)]
struct Signal {
    event: Notify,
    /// The folder itself was removed, and its watch with it.
    lost: AtomicBool,
}

impl Watch {
    pub(super) fn new(folder: PathBuf) -> Self {
        let signal = Arc::new(Signal::default());
        let (heard, path) = (Arc::clone(&signal), folder.clone());
        let events = notify::recommended_watcher(move |event| heard.hear(event, &path));
        let events = events.inspect_err(
            |error| tracing::warn!(%error, "file system events are not available for the plugin folder; it is polled"),
        );
        let mut watch = Self { folder, signal, events: events.ok(), watched: None };
        watch.renew();
        watch
    }

    /// Watches the folder that now has this name.
    fn renew(&mut self) {
        let Some(events) = &mut self.events else { return };
        let now = fs::metadata(&self.folder).ok().map(|meta| identity(&meta));
        let lost = self.signal.lost.swap(false, Ordering::Relaxed);
        if now == self.watched && !lost {
            return;
        }
        if self.watched.take().is_some() {
            // The watch may have been removed with its folder already.
            let _ = events.unwatch(&self.folder);
        }
        if now.is_some() {
            match events.watch(&self.folder, RecursiveMode::NonRecursive) {
                Ok(()) => self.watched = now,
                Err(error) => tracing::debug!(%error, "the plugin folder cannot be watched; it is polled"),
            }
        }
    }
}

impl Signal {
    fn hear(&self, event: notify::Result<Event>, folder: &Path) {
        if let Ok(event) = event {
            // The scan itself opens files; only the end of a write is a change.
            let reading = matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write));
            if reading {
                return;
            }
            if event.kind.is_remove() && event.paths.iter().any(|path| path == folder) {
                self.lost.store(true, Ordering::Relaxed);
            }
        }
        self.event.notify_one();
    }

    // Not a debouncer crate: notify-debouncer-mini does not tell reads from writes, so that each scan would cause the
    // next; notify-debouncer-full reports a file while it is still being written. Neither follows a replaced folder.
    async fn settle(&self) {
        let end = Instant::now() + MAX_DEBOUNCE;
        while timeout_at(end.min(Instant::now() + DEBOUNCE), self.event.notified()).await.is_ok() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_the_loader_does_not_finish_is_to_be_tried_again() {
        let entries = || vec![FolderEntry { name: "a".to_owned(), change: None }];
        let (store, mut deliveries) = mpsc::channel(1);
        let watcher = Watcher { task: tokio::spawn(async move { drop(deliveries.recv().await) }), store };
        // It ends during the first delivery; at the second one it no longer runs.
        for _ in 0..2 {
            assert_eq!(watcher.deliver(entries()).await, ["a"]);
        }
        assert!(!watcher.is_running());
    }
}
