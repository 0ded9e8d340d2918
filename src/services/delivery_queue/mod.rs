//! Delivery at least once from a queue in the database: what is due is leased, attempted, and its result written; what
//! failed is attempted again with backoff. A [`DeliveryQueue`] says what its items are, and how one is attempted.
//!
//! The worker of a queue polls when this process has committed to its outbox, when results were written, and at an
//! interval. Every node has one; leases in the database decide which of them attempts an item.

pub mod backoff;
mod poll;
mod results;

use crate::supervisor::{Panicked, Tasks};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_storage::{self as storage, Db, Outbox, Tx};
use poll::Poll;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How long it waits after a poll that failed.
const POLL_RETRY_DELAY: Duration = Duration::from_secs(1);
/// The shortest time from one poll to the next: what is committed meanwhile is leased together. A single item is leased
/// at once.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// The same if only results were written: what they make room for is leased together.
const REFILL_INTERVAL: Duration = Duration::from_millis(5);

/// What is delivered, and how.
pub trait DeliveryQueue: Send + Sync + 'static {
    /// What was leased in one transaction.
    type Taken: Send;
    /// One item, with all that its attempt needs.
    type Item: Send + 'static;
    /// What came of an attempt.
    type Record: Debug + Send + Sync + 'static;

    /// One item, in a word; for logs.
    const ITEM: &'static str;
    /// Whose commits wake the worker.
    const OUTBOX: Outbox;

    /// When the next item is due, Unix milliseconds.
    fn next_due(&self, tx: &mut Tx) -> impl Future<Output = storage::Result<Option<i64>>> + Send;

    /// Moves all due times after `now` back by so many milliseconds, because the clock went back by as much.
    fn bring_forward(&self, tx: &mut Tx, now: i64, by: i64) -> impl Future<Output = storage::Result<u64>> + Send;

    /// Leases at most `free` items that are due at `now`, under this name. Also answers the time until the next poll.
    fn lease(
        &self,
        tx: &mut Tx,
        name: &str,
        now: i64,
        free: i64,
    ) -> impl Future<Output = Result<(Self::Taken, Duration), Error>> + Send;

    /// The items of what was leased, which is committed by now.
    fn items(&self, taken: Self::Taken) -> Vec<Self::Item>;

    /// Attempts an item that was leased under this name. `None` if its lease has passed to another worker.
    fn attempt(&self, item: Self::Item, lease: Arc<str>) -> impl Future<Output = Option<Self::Record>> + Send;

    /// Writes results, in one transaction. `now`: Unix milliseconds.
    fn write(&self, tx: &mut Tx, records: &[Self::Record], now: i64) -> impl Future<Output = Result<(), Error>> + Send;

    /// The same result without third-party texts, for a database that refuses these: enough to count the attempt and to
    /// change the state of the item.
    fn bare(record: Self::Record) -> Self::Record;

    /// Counts a result in the metrics.
    fn count(record: &Self::Record);
}

/// What the worker of a queue needs beside it.
#[derive(Clone)]
pub struct Worker {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// How many items this server attempts at once.
    pub concurrency: usize,
    /// The polling interval for due items of other servers.
    pub poll: Duration,
}

impl Worker {
    /// Delivers in the background until shutdown. Attempts in progress are finished.
    pub fn start<Q: DeliveryQueue>(self, queue: Arc<Q>, tasks: &Tasks) {
        let (results, waiting) = mpsc::channel(self.concurrency.max(1));
        let done = Arc::new(Notify::new());
        let slots = Arc::new(Semaphore::new(self.concurrency));
        let results_of = (Arc::clone(&queue), self.clone(), Arc::clone(&slots));
        tasks.spawn("delivery results", results::run(results_of, waiting, Arc::clone(&done), tasks.stopping()));
        let poll = Poll::new(queue, self, slots, results, tasks.clone());
        tasks.spawn("deliveries", run(poll, done, tasks.stopping()));
    }
}

async fn run<Q: DeliveryQueue>(mut poll: Poll<Q>, done: Arc<Notify>, stopping: CancellationToken) {
    loop {
        let began = Instant::now();
        let pause = poll.run().await.unwrap_or_else(|error| {
            tracing::warn!(%error, item = Q::ITEM, "deliveries cannot be leased; trying again");
            POLL_RETRY_DELAY
        });
        let refill = async {
            done.notified().await;
            tokio::time::sleep_until(began + REFILL_INTERVAL).await;
        };
        tokio::select! {
            () = stopping.cancelled() => return,
            () = poll.written() => {}
            () = refill => {}
            () = tokio::time::sleep(pause) => {}
        }
        tokio::time::sleep_until(began + POLL_INTERVAL).await;
    }
}

/// Rotates receivers at random, so that none is always the last if there is more to deliver than a server can take.
pub fn begin_anywhere<T>(receivers: &mut [T]) -> Result<(), RandomError> {
    let [turn] = random::bytes::<1>()?;
    if !receivers.is_empty() {
        let first = usize::from(turn) % receivers.len();
        receivers.rotate_left(first);
    }
    Ok(())
}

/// Items cannot be leased, or results not written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// No random numbers for an id.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The work panicked.
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

impl Error {
    /// Whether the error is caused by the values, so that a retry would fail as well.
    fn is_of_the_values(&self) -> bool {
        match self {
            Self::Storage(error) => error.is_of_the_values(),
            Self::Panicked(_) => true,
            Self::Random(_) => false,
        }
    }
}
