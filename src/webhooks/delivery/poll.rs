//! One poll of the delivery worker: finds due deliveries, leases as many as hooks, this server and the rate limits
//! allow, and starts the attempts.

use super::attempt::Hook;
use super::rate_limit::TokenBucket;
use super::results::Waiting;
use super::send::Receiver;
use super::{Delivery, attempt::run as attempt};
use crate::domain::hook::HookConfig;
use crate::random;
use crate::storage::hooks;
use crate::storage::hooks::leases::{DueHook, Lease, Leased};
use crate::supervisor::Tasks;
use crate::webhooks::Error;
use crate::webhooks::signing_key::OpenKeys;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

/// If the clock goes back by more than this, it has been set, milliseconds.
const CLOCK_STEP_MS: i64 = 2_000;

/// The state that polls share.
pub(super) struct Poll {
    shared: Arc<Delivery>,
    slots: Arc<Semaphore>,
    results: mpsc::Sender<Waiting>,
    tasks: Tasks,
    keys: OpenKeys,
    /// The duration of a lease, milliseconds.
    lease_ms: i64,
    /// The latest time that was seen.
    latest: i64,
}

/// The leased deliveries of one hook.
struct Taken {
    hook: hooks::Hook,
    deliveries: Vec<Leased>,
}

impl Poll {
    pub(super) fn new(
        shared: Arc<Delivery>,
        slots: Arc<Semaphore>,
        results: mpsc::Sender<Waiting>,
        tasks: Tasks,
    ) -> Self {
        let lease_ms = i64::try_from(shared.lease_duration().as_millis()).unwrap_or(i64::MAX / 2);
        let keys = OpenKeys::new(Arc::clone(&shared.cipher));
        Self { shared, slots, results, tasks, keys, lease_ms, latest: i64::MIN }
    }

    /// Waits until this process has committed deliveries.
    pub(super) async fn written(&self) {
        self.shared.db.deliveries_written().await;
    }

    /// Starts the attempts that are due, and returns the time until the next poll, unless it is notified before.
    pub(super) async fn run(&mut self) -> Result<Duration, Error> {
        let now = self.now().await?;
        let poll = self.shared.settings.poll;
        let free = i64::try_from(self.slots.available_permits()).unwrap_or(i64::MAX);
        if free == 0 {
            return Ok(poll);
        }
        match hooks::leases::next_due(&mut self.shared.db.read().await?).await? {
            None => Ok(poll),
            Some(due) if due > now => Ok(poll.min(Duration::from_millis((due - now).unsigned_abs()))),
            Some(_) => self.lease(now, free, poll).await,
        }
    }

    async fn lease(&self, now: i64, free: i64, poll: Duration) -> Result<Duration, Error> {
        let name: Arc<str> = random::id(21)?.into();
        let mut taken = Vec::new();
        let mut left = free;
        let mut pause = poll;
        let mut tx = self.shared.db.begin().await?;
        let mut due = hooks::leases::due_hooks(&mut tx, now).await?;
        // Reads the clock again now that the hooks are locked, so that waiting for the locks does not shorten the
        // lease.
        let now = self.shared.clock.now_ms();
        let lease = Lease { name: &name, now, until: now + self.lease_ms };
        // Random order, so that no hook is always the last if there are more deliveries than this server can take.
        let [turn] = random::bytes::<1>()?;
        if !due.is_empty() {
            let first = usize::from(turn) % due.len();
            due.rotate_left(first);
        }
        for due in due {
            let bucket =
                due.hook.rate_limit.map(|rate| TokenBucket::new(rate, due.load.rate_credit, due.load.rate_at, now));
            let limit = allowed(&due, bucket).min(left);
            let deliveries =
                if limit > 0 { hooks::leases::lease(&mut tx, &due.hook, lease, limit).await? } else { vec![] };
            let count = i64::try_from(deliveries.len()).unwrap_or(i64::MAX);
            if let Some(bucket) = bucket.map(|bucket| bucket.spend(count)) {
                hooks::leases::spend(&mut tx, &due.hook.id, bucket.credit(), now).await?;
                pause = pause.min(Duration::from_millis(bucket.wait().max(1)));
            }
            left -= count;
            taken.push(Taken { hook: due.hook, deliveries });
        }
        tx.commit().await?;
        for taken in taken {
            self.set_off(taken, &name, now);
        }
        Ok(pause)
    }

    fn set_off(&self, taken: Taken, lease: &Arc<str>, now: i64) {
        if taken.deliveries.is_empty() {
            return;
        }
        let receiver = self.receiver(&taken.hook, now);
        let hook = Arc::new(Hook { id: taken.hook.id, name: taken.hook.name, receiver });
        for leased in taken.deliveries {
            // So many permits were free, and nothing else takes any.
            let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else { return };
            let attempt =
                attempt(Arc::clone(&self.shared), Arc::clone(&hook), Arc::clone(lease), leased, self.results.clone());
            self.tasks.spawn_item("delivery", async move {
                let _slot = slot;
                attempt.await;
            });
        }
    }

    fn receiver(&self, hook: &hooks::Hook, now: i64) -> Result<Receiver, String> {
        let config = HookConfig::deserialize(&hook.config.0);
        let config = config.map_err(|_| "the hook's configuration cannot be read".to_owned())?;
        let keys = self.keys.valid(hook, now).map_err(|error| error.to_string())?;
        Ok(Receiver { config, keys, timeout: self.shared.settings.timeout })
    }

    /// The time. If the clock went back, due times are moved back as well.
    async fn now(&mut self) -> Result<i64, Error> {
        let now = self.shared.clock.now_ms();
        let by = self.latest.saturating_sub(now);
        if by > CLOCK_STEP_MS {
            let mut tx = self.shared.db.begin().await?;
            let moved = hooks::leases::bring_forward(&mut tx, now, by).await?;
            tx.commit().await?;
            tracing::warn!(
                by_ms = by,
                deliveries = moved,
                "the system clock went back; due times of deliveries are moved back as well"
            );
            self.latest = now;
        }
        self.latest = self.latest.max(now);
        Ok(now)
    }
}

/// How many deliveries of a hook may begin.
fn allowed(due: &DueHook, bucket: Option<TokenBucket>) -> i64 {
    let by_number = due.hook.max_in_flight - due.load.in_flight;
    bucket.map_or(by_number, |bucket| by_number.min(bucket.allowed())).max(0)
}
