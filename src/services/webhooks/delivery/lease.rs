//! The queue of deliveries to hooks: leases as many due deliveries as hooks, this server and the rate limits allow.

use super::DeliveryContext;
use super::attempt::{PolledHook, run as attempt};
use super::outages::Outages;
use super::results::{self, AttemptResult};
use super::send::Receiver;
use crate::activity::ActivityKind;
use crate::delivery_queue::{self, DeliveryQueue, Error, backoff};
use crate::webhooks::metrics;
use crate::webhooks::signing_key::DecryptedKeys;
use claimsmith_domain::documents::hook::HookConfig;
use claimsmith_domain::token_bucket::{Rate, TokenBucket};
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::leases::{DueHook, Leased};
use claimsmith_storage::hooks::outages::ReceiverFailure;
use claimsmith_storage::{self as storage, Lease, Outbox, Tx};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// Of all deliveries in flight, one in so many is for hooks that have none.
const RESERVED_PART: usize = 8;
/// Most deliveries of one hook for which one transaction counts the failure of their receiver, so that it is short.
const MAX_MOVED: i64 = 500;
/// The pause before the next such transaction.
const MOVING_PAUSE: Duration = Duration::from_millis(20);

/// The deliveries of all hooks.
pub(super) struct HookQueue {
    shared: Arc<DeliveryContext>,
    keys: DecryptedKeys,
    outages: Outages,
    /// The duration of a lease, milliseconds.
    lease_ms: i64,
}

/// The leased deliveries of one hook.
pub(super) struct LeasedBatch {
    hook: hooks::Hook,
    deliveries: Vec<Leased>,
    /// When they were leased, Unix milliseconds.
    at: i64,
}

/// One delivery.
pub(super) struct LeasedDelivery {
    hook: Arc<PolledHook>,
    leased: Leased,
}

impl HookQueue {
    pub(super) fn new(shared: Arc<DeliveryContext>) -> Self {
        let lease_ms = i64::try_from(shared.lease_duration().as_millis()).unwrap_or(i64::MAX / 2);
        let keys = DecryptedKeys::new(Arc::clone(&shared.cipher));
        Self { shared, keys, outages: Outages::new(lease_ms), lease_ms }
    }

    fn receiver(&self, hook: &hooks::Hook, now: i64) -> Result<Receiver, String> {
        let config = HookConfig::deserialize(&hook.config.0);
        let config = config.map_err(|_| "the hook's configuration cannot be read".to_owned())?;
        let keys = self.keys.valid(hook, now).map_err(|error| error.to_string())?;
        Ok(Receiver { config, keys, timeout: self.shared.settings.timeout })
    }

    /// Leases at most `limit` due deliveries of a hook; while its receiver is down, one as a probe, and those that have
    /// one attempt left. Also answers the time until the next poll.
    async fn lease_of(
        &self,
        tx: &mut Tx,
        hook: &hooks::Hook,
        lease: Lease<'_>,
        limit: i64,
    ) -> storage::Result<(Vec<Leased>, Duration)> {
        let poll = self.shared.settings.poll;
        let Some(outage) = self.outages.of(&hook.id) else {
            let leased = if limit > 0 { hooks::leases::lease(tx, hook, lease, limit).await? } else { Vec::new() };
            return Ok((leased, poll));
        };
        let delays_ms = retry_delays(hook);
        let mut pause = poll;
        // What becomes due later is counted by the next failure. In an ordered hook, who waits behind a retry is postponed
        // each time.
        if hook.ordered || !outage.is_counted {
            let failure = ReceiverFailure { at: outage.failed_at, error: &outage.error, delays_ms };
            let moved = hooks::outages::move_on(tx, hook, failure, lease.now, MAX_MOVED).await?;
            if moved < MAX_MOVED.unsigned_abs() {
                // Should the transaction fail, the next failure counts for them.
                self.outages.counted(&hook.id, outage.failed_at);
            } else {
                pause = MOVING_PAUSE;
            }
        }
        if limit <= 0 {
            return Ok((Vec::new(), pause));
        }
        if !self.outages.is_probe_due(&outage, lease.now) {
            return Ok((hooks::outages::lease_last(tx, hook, lease, delays_ms.len(), limit).await?, pause));
        }
        let leased = hooks::leases::lease(tx, hook, lease, 1).await?;
        if !leased.is_empty() {
            self.outages.probe(&hook.id, lease.now);
        }
        Ok((leased, pause))
    }
}

/// The delays between the attempts of a hook's deliveries.
fn retry_delays(hook: &hooks::Hook) -> &'static [i64] {
    let all = &backoff::RETRY_DELAYS_MS;
    let retries = HookConfig::deserialize(&hook.config.0).ok().and_then(|config| config.retries);
    retries.and_then(|retries| all.get(..usize::from(retries))).unwrap_or(all)
}

impl DeliveryQueue for HookQueue {
    type Taken = Vec<LeasedBatch>;
    type Item = LeasedDelivery;
    type Record = AttemptResult;

    const ITEM: &'static str = "delivery";
    const OUTBOX: Outbox = Outbox::Webhooks;

    async fn next_due(&self, tx: &mut Tx) -> storage::Result<Option<i64>> {
        hooks::leases::next_due(tx).await
    }

    async fn bring_forward(&self, tx: &mut Tx, now: i64, by: i64) -> storage::Result<u64> {
        hooks::leases::bring_forward(tx, now, by).await
    }

    async fn lease(&self, tx: &mut Tx, name: &str, now: i64, free: i64) -> Result<(Vec<LeasedBatch>, Duration), Error> {
        let mut taken = Vec::new();
        let mut left = free;
        let reserved = i64::try_from(self.shared.settings.concurrency / RESERVED_PART).unwrap_or_default();
        let mut pause = self.shared.settings.poll;
        let mut due = hooks::leases::due_hooks(tx, now).await?;
        // Reads the clock again now that the hooks are locked, so that waiting for the locks does not shorten the
        // lease.
        let now = self.shared.clock.now_ms();
        let lease = Lease { name, now, until: now + self.lease_ms };
        delivery_queue::begin_anywhere(&mut due)?;
        for due in due {
            let bucket = due.hook.rate_limit.map(|per_second| {
                TokenBucket::left(Rate::even(per_second), due.load.rate_credit, due.load.rate_at).refilled(now)
            });
            let limit = allowed(&due, bucket).min(share(left, reserved, due.load.in_flight));
            let (deliveries, wait) = self.lease_of(tx, &due.hook, lease, limit).await?;
            pause = pause.min(wait);
            let count = i64::try_from(deliveries.len()).unwrap_or(i64::MAX);
            if let Some(bucket) = bucket.map(|bucket| bucket.spend(count)) {
                hooks::leases::spend(tx, &due.hook.id, bucket.credit(), now).await?;
                pause = pause.min(Duration::from_millis(bucket.wait().max(1)));
            }
            left -= count;
            taken.push(LeasedBatch { hook: due.hook, deliveries, at: now });
        }
        Ok((taken, pause))
    }

    fn items(&self, taken: Vec<LeasedBatch>) -> Vec<LeasedDelivery> {
        let mut items = Vec::new();
        for LeasedBatch { hook, deliveries, at } in taken {
            if deliveries.is_empty() {
                continue;
            }
            let receiver = self.receiver(&hook, at);
            let hook = Arc::new(PolledHook { id: hook.id, name: hook.name, receiver });
            items.extend(deliveries.into_iter().map(|leased| LeasedDelivery { hook: Arc::clone(&hook), leased }));
        }
        items
    }

    async fn attempt(&self, LeasedDelivery { hook, leased }: LeasedDelivery, lease: Arc<str>) -> Option<AttemptResult> {
        let record = attempt(&self.shared, &hook, lease, leased).await?;
        self.outages.note(&record, self.shared.clock.now_ms());
        if let Some(attempt) = &record.attempt {
            let duration = Duration::from_millis(attempt.duration_ms.unsigned_abs());
            self.shared.activity.count(ActivityKind::Delivery, attempt.error.is_some(), duration);
        }
        Some(record)
    }

    async fn write(&self, tx: &mut Tx, records: &[AttemptResult], now: i64) -> Result<(), Error> {
        results::write(tx, records, now).await
    }

    fn bare(record: AttemptResult) -> AttemptResult {
        record.bare()
    }

    fn count(record: &AttemptResult) {
        metrics::attempt(record.result.label(), record.attempt.as_ref().map(|attempt| attempt.duration_ms));
    }
}

/// How many deliveries of a hook may begin of those that this server has room for. The reserved ones are for hooks that
/// have none in flight, one for each: receivers that do not answer hold up their own hook, and no other.
const fn share(left: i64, reserved: i64, in_flight: i64) -> i64 {
    let common = if left > reserved { left - reserved } else { 0 };
    if common == 0 && in_flight == 0 && left > 0 { 1 } else { common }
}

/// How many deliveries of a hook may begin.
fn allowed(due: &DueHook, bucket: Option<TokenBucket>) -> i64 {
    let by_number = due.hook.max_in_flight - due.load.in_flight;
    bucket.map_or(by_number, |bucket| by_number.min(bucket.tokens())).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_places_are_for_hooks_that_have_nothing_in_flight() {
        for (left, in_flight, expected) in
            [(256, 0, 224), (100, 100, 68), (33, 100, 1), (32, 100, 0), (32, 0, 1), (1, 0, 1), (1, 1, 0), (0, 0, 0)]
        {
            assert_eq!(share(left, 32, in_flight), expected, "{left} {in_flight}");
        }
        // A server with few places reserves none.
        assert_eq!((share(4, 0, 3), share(1, 0, 0)), (4, 1));
    }
}
