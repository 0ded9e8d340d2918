//! Deliveries on their way: what is due is claimed, transformed, signed, sent, and its result written; again and again
//! until the receiver has taken it.
//!
//! Rounds begin when this process has committed deliveries, when results were written, and now and then. Every node
//! runs this; the database says who attempts what (`storage::dispatch`).

mod attempt;
mod body;
mod pace;
mod record;
mod round;
mod schedule;
mod send;

pub use body::{Prepared, TransformRun};
pub use send::{LARGEST_BODY, Receiver, Reply};

pub(super) use record::Outcome;

use crate::clock::Clock;
use crate::config;
use crate::egress::Egress;
use crate::lifecycle::Tasks;
use crate::plugins::Plugins;
use crate::seal::SealBox;
use crate::storage::Db;
use round::Round;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc};

/// How long it waits after a round that failed.
const PATIENCE: Duration = Duration::from_secs(1);

/// What deliveries need.
pub struct Delivery {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// Opens signing keys.
    pub seal: Arc<SealBox>,
    /// Transforms.
    pub plugins: Plugins,
    /// The way out.
    pub egress: Arc<Egress>,
    /// How much at once, and how often.
    pub settings: config::Webhooks,
}

impl Delivery {
    /// Delivers in the background until the server stops. What is under way then is finished.
    pub fn start(self: Arc<Self>, tasks: &Tasks) {
        super::metrics::describe();
        let (results, waiting) = mpsc::channel(self.settings.concurrency.max(1));
        let done = Arc::new(Notify::new());
        let record = record::run(self.db.clone(), self.clock.clone(), waiting, Arc::clone(&done), tasks.stopping());
        tasks.spawn("delivery results", record);
        let slots = Arc::new(Semaphore::new(self.settings.concurrency));
        let round = Round::new(self, slots, results, tasks.clone());
        tasks.spawn("deliveries", run(round, done, tasks.stopping()));
    }
}

async fn run(mut round: Round, done: Arc<Notify>, stopping: tokio_util::sync::CancellationToken) {
    loop {
        let pause = round.run().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "deliveries cannot be claimed; trying again");
            PATIENCE
        });
        tokio::select! {
            () = stopping.cancelled() => return,
            () = round.written() => {}
            () = done.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}
