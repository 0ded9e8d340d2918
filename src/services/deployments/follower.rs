//! Keeps a node's plugins in sync with the database: at once after its own changes, within moments after another node's
//! (PostgreSQL notifications), as soon as it has compiled what only another node's cache has, and by polling, since
//! notifications may be lost.

use super::reading::{LastRead, read};
use super::served::Served;
use super::uploads::{UploadedSource, Uploads};
use crate::encryption::Cipher;
use crate::plugins::Plugins;
use crate::supervisor::contain;
use claimsmith_domain::clock::Clock;
use claimsmith_runtime::Source;
use claimsmith_storage::nodes::announcements::{Announcements, PLUGINS};
use claimsmith_storage::{self as storage, Db, plugins};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The delay before the connection for notifications is opened again.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// When a rollout is aborted, no node answers anybody by its version after this time.
const ABORTED_WITHIN: Duration = Duration::from_secs(1);

/// The maximum delay between two reads while a rollout runs, also when notifications are lost or the last read failed:
/// half of the time, so that the other half is left for the read itself.
const ROLLOUT_POLL: Duration = Duration::from_millis(500);

const _: () = assert!(ROLLOUT_POLL.as_millis() * 2 <= ABORTED_WITHIN.as_millis(), "a node would follow too late");

/// The timeout of a read, which would never end on a dead connection.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// Follows the database. Cheap to clone.
#[derive(Clone)]
pub struct Follower(Arc<Inner>);

struct Inner {
    db: Db,
    cipher: Arc<Cipher>,
    plugins: Plugins,
    uploads: Uploads,
    /// What this node told the others that it serves.
    served: Served,
    /// Held while changes are loaded, so that they are loaded one after the other.
    seen: Mutex<LastRead>,
    /// Whether the last read failed, so that it is logged once.
    blind: AtomicBool,
    /// Whether any rollout was running at the last read.
    has_rollouts: AtomicBool,
    /// The number of changes of circuit breakers at the last read, so that these are read only when there are any.
    breakers: AtomicI64,
}

impl Follower {
    /// Follows from the start: the first read delivers all plugins. `here` is the id of this node, and its clock.
    #[must_use]
    pub fn new(db: Db, cipher: Arc<Cipher>, plugins: Plugins, here: (String, Clock)) -> Self {
        let (uploads, seen, served) = (Uploads::default(), Mutex::default(), Served::new(here));
        let (blind, has_rollouts, breakers) = (AtomicBool::new(false), AtomicBool::new(false), AtomicI64::new(-1));
        Self(Arc::new(Inner { db, cipher, plugins, uploads, served, seen, blind, has_rollouts, breakers }))
    }

    /// Keeps a source that is about to be stored, so that loading it does not read it back.
    pub fn keep(&self, source: Source) -> UploadedSource {
        self.0.uploads.add(source)
    }

    /// Loads what has changed, and returns when it is active on this node.
    pub async fn catch_up(&self) -> storage::Result<()> {
        let inner = &self.0;
        let mut seen = inner.seen.lock().await;
        seen.forget(&inner.plugins.take_store_retries());
        let looked = timeout(READ_TIMEOUT, async {
            let mut tx = inner.db.read().await?;
            let revisions = plugins::revisions(&mut tx).await?;
            let changed = read(&mut tx, &inner.cipher, &inner.uploads, &seen, revisions.plugins).await?;
            Ok::<_, storage::Error>((revisions.breakers, changed))
        });
        let (breakers, changed) = looked.await.unwrap_or_else(|_| Err(storage::Error::timed_out()))?;
        // A deleted plugin no longer has breakers.
        if inner.breakers.swap(breakers, Ordering::Relaxed) != breakers || changed.is_some() {
            inner.plugins.breakers().wake();
        }
        if let Some((plugins, now)) = changed {
            inner.plugins.store_changed();
            // If the caller is cancelled in between, `seen` is unchanged, and the same changes are loaded again.
            let again = inner.plugins.deliver(plugins).await;
            inner.has_rollouts.store(now.has_rollouts, Ordering::Relaxed);
            *seen = now;
            seen.forget(&again);
        }
        inner.served.tell(&inner.db, &inner.plugins, &seen).await;
        Ok(())
    }

    /// Follows until shutdown, reading at least every `poll`.
    pub async fn run(self, poll: Duration, stopping: CancellationToken) {
        let started = async {
            // At the start the plugins are loaded after they were delivered.
            self.0.plugins.settled().await;
            let seen = self.0.seen.lock().await;
            self.0.served.tell(&self.0.db, &self.0.plugins, &seen).await;
        };
        stopping.run_until_cancelled(async { tokio::join!(self.follow(poll), started) }).await;
    }

    async fn follow(&self, poll: Duration) {
        let mut announcements = None;
        loop {
            // A panic was logged, and is retried like an error.
            if contain("deployments", self.round(&mut announcements, poll)).await.is_err() {
                announcements = None;
                tokio::time::sleep(RECONNECT_DELAY.min(self.longest_pause(poll))).await;
            }
        }
    }

    /// How long at most until the next read.
    fn longest_pause(&self, poll: Duration) -> Duration {
        if self.0.has_rollouts.load(Ordering::Relaxed) { poll.min(ROLLOUT_POLL) } else { poll }
    }

    /// Reads once, and waits until there may be something to read again.
    async fn round(&self, announcements: &mut Option<Announcements>, poll: Duration) {
        let mut pause = poll;
        // Listens before reading, so that no notification is missed between the two.
        if announcements.is_none() {
            match Announcements::listen(&self.0.db, PLUGINS).await {
                Ok(listening) => *announcements = listening,
                // The read reports an outage.
                Err(_) => pause = RECONNECT_DELAY.min(poll),
            }
        }
        self.look().await;
        let (poll, pause) = (self.longest_pause(poll), self.longest_pause(pause));
        // What this node had to compile serves with the next read. A notification that is missed while this ends the
        // wait was of a change that is there already.
        let compiled = self.0.plugins.store_compiled();
        let heard = async {
            if let Some(heard) = announcements.as_mut() {
                timeout(poll, Announcements::next(heard)).await.unwrap_or(Ok(()))
            } else {
                tokio::time::sleep(pause).await;
                Ok(())
            }
        };
        let heard = tokio::select! {
            heard = heard => heard,
            () = compiled => Ok(()),
        };
        // Dropped and opened again when it fails: polling finds changes whose notification was missed.
        if let Err(error) = heard {
            tracing::warn!(%error, "notifications of plugin changes cannot be received; the database is polled");
            *announcements = None;
            tokio::time::sleep(RECONNECT_DELAY.min(poll)).await;
        }
    }

    async fn look(&self) {
        let failed = self.catch_up().await.err();
        let blind = self.0.blind.swap(failed.is_some(), Ordering::Relaxed);
        match failed {
            Some(error) if !blind => {
                tracing::error!(%error, "plugin changes cannot be read from the database; active plugins stay active");
            }
            None if blind => tracing::info!("plugin changes can be read from the database again"),
            _ => {}
        }
    }
}
