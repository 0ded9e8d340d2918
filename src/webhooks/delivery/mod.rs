//! The delivery worker: leases deliveries that are due, transforms, signs and sends them, and writes the results;
//! failed ones are retried with backoff.
//!
//! The worker polls when this process has committed deliveries, when results were written, and at an interval. Every
//! node has a worker; leases in the database decide which one attempts a delivery (`storage::hooks::leases`).

mod attempt;
mod backoff;
mod body;
mod poll;
mod rate_limit;
mod results;
mod send;

pub use body::{Prepared, TransformRun};
pub use send::{MAX_BODY_BYTES, Receiver, Reply};

use crate::clock::Clock;
use crate::config;
use crate::egress::Egress;
use crate::encryption::Cipher;
use crate::plugins::Plugins;
use crate::storage::Db;
use crate::supervisor::Tasks;
use poll::Poll;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc};

/// The time of an attempt beside its transforms and its request: reading the clock, writing the result of the
/// transforms, and writing the result of the attempt.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

/// How long it waits after a poll that failed.
const POLL_RETRY_DELAY: Duration = Duration::from_secs(1);

/// What deliveries need.
pub struct Delivery {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// Decrypts signing keys.
    pub cipher: Arc<Cipher>,
    /// Transforms.
    pub plugins: Plugins,
    /// The client for outgoing requests.
    pub egress: Arc<Egress>,
    /// Concurrency and polling interval.
    pub settings: config::Webhooks,
    /// Time that all transforms of a delivery share.
    pub budget: Duration,
}

impl Delivery {
    /// The duration of a lease: longer than any attempt, so that it does not pass to another worker during the attempt,
    /// and otherwise as short as possible, so that the deliveries of a dead worker are soon due again.
    #[must_use]
    pub fn lease_duration(&self) -> Duration {
        self.budget + self.settings.timeout + LEASE_MARGIN
    }

    /// Delivers in the background until shutdown. Attempts in progress are finished.
    pub fn start(self: Arc<Self>, tasks: &Tasks) {
        super::metrics::describe();
        let (results, waiting) = mpsc::channel(self.settings.concurrency.max(1));
        let done = Arc::new(Notify::new());
        let record = results::run(self.db.clone(), self.clock.clone(), waiting, Arc::clone(&done), tasks.stopping());
        tasks.spawn("delivery results", record);
        let slots = Arc::new(Semaphore::new(self.settings.concurrency));
        let poll = Poll::new(self, slots, results, tasks.clone());
        tasks.spawn("deliveries", run(poll, done, tasks.stopping()));
    }
}

async fn run(mut poll: Poll, done: Arc<Notify>, stopping: tokio_util::sync::CancellationToken) {
    loop {
        let pause = poll.run().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "deliveries cannot be leased; trying again");
            POLL_RETRY_DELAY
        });
        tokio::select! {
            () = stopping.cancelled() => return,
            () = poll.written() => {}
            () = done.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}
