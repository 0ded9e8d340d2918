//! One poll of a queue's worker: leases as many due items as the queue and this server allow, and starts the attempts.

use super::results::WaitingRecord;
use super::{DeliveryQueue, Error, Worker};
use crate::supervisor::Tasks;
use claimsmith_domain::random;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, oneshot};

/// If the clock goes back by more than this, it has been set, milliseconds.
const CLOCK_STEP_MS: i64 = 2_000;

/// The state that polls share.
pub(super) struct Poll<Q: DeliveryQueue> {
    queue: Arc<Q>,
    worker: Worker,
    slots: Arc<Semaphore>,
    results: mpsc::Sender<WaitingRecord<Q>>,
    tasks: Tasks,
    /// The latest time that was seen.
    latest: i64,
}

impl<Q: DeliveryQueue> Poll<Q> {
    pub(super) fn new(
        queue: Arc<Q>,
        worker: Worker,
        slots: Arc<Semaphore>,
        results: mpsc::Sender<WaitingRecord<Q>>,
        tasks: Tasks,
    ) -> Self {
        Self { queue, worker, slots, results, tasks, latest: i64::MIN }
    }

    /// Waits until this process has committed to the outbox.
    pub(super) async fn written(&self) {
        self.worker.db.written_to(Q::OUTBOX).await;
    }

    /// Starts the attempts that are due, and returns the time until the next poll, unless it is notified before.
    pub(super) async fn run(&mut self) -> Result<Duration, Error> {
        let now = self.now().await?;
        let poll = self.worker.poll;
        let free = i64::try_from(self.slots.available_permits()).unwrap_or(i64::MAX);
        if free == 0 {
            return Ok(poll);
        }
        match self.queue.next_due(&mut self.worker.db.read().await?).await? {
            None => Ok(poll),
            Some(due) if due > now => Ok(poll.min(Duration::from_millis((due - now).unsigned_abs()))),
            Some(_) => self.lease(now, free).await,
        }
    }

    async fn lease(&self, now: i64, free: i64) -> Result<Duration, Error> {
        let name: Arc<str> = random::id(21)?.into();
        let mut tx = self.worker.db.begin().await?;
        let (taken, pause) = self.queue.lease(&mut tx, &name, now, free).await?;
        tx.commit().await?;
        for item in self.queue.items(taken) {
            // So many permits were free, and nothing else takes any.
            let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else { break };
            let (queue, lease, results) = (Arc::clone(&self.queue), Arc::clone(&name), self.results.clone());
            self.tasks.spawn_item(Q::ITEM, async move {
                let _slot = slot;
                let Some(record) = queue.attempt(item, lease).await else { return };
                let (written, wait) = oneshot::channel();
                if results.send((record, written)).await.is_ok() {
                    // An error means that the server is stopping; the lease expires.
                    let _ = wait.await;
                }
            });
        }
        Ok(pause.min(self.worker.poll))
    }

    /// The time. If the clock went back, due times are moved back as well.
    async fn now(&mut self) -> Result<i64, Error> {
        let now = self.worker.clock.now_ms();
        let by = self.latest.saturating_sub(now);
        if by > CLOCK_STEP_MS {
            let mut tx = self.worker.db.begin().await?;
            let moved = self.queue.bring_forward(&mut tx, now, by).await?;
            tx.commit().await?;
            tracing::warn!(
                by_ms = by,
                deliveries = moved,
                item = Q::ITEM,
                "the system clock went back; due times of deliveries are moved back as well"
            );
            self.latest = now;
        }
        self.latest = self.latest.max(now);
        Ok(now)
    }
}
