//! Receivers that are down. After many failures in a row, one delivery at a time probes whether a receiver is back, and
//! its failure counts for all deliveries that are due (`storage::hooks::outages`). The first success ends the outage.
//!
//! In memory: each node finds out by itself, and a node that restarts does so again.

use super::results::{AttemptResult, WebhookOutcome};
use claimsmith_domain::id::HookId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A receiver is down after so many failures without a success or another response: so many deliveries that fail for
/// their own sake rarely come in a row.
const FAILURES_OF_AN_OUTAGE: u32 = 25;
/// The delay before the first probe, milliseconds; each later one is twice as long.
const FIRST_PROBE_DELAY_MS: i64 = 1_000;
/// The longest delay between probes, milliseconds: the first retry of a new event comes within about that time.
const MAX_PROBE_DELAY_MS: i64 = 5_000;
/// The most hooks that are remembered. Beyond that, all are forgotten, and found out again.
const MAX_HOOKS: usize = 10_000;

/// The hooks with failures since the last success.
pub(super) struct Outages {
    hooks: Mutex<HashMap<HookId, Failures>>,
    /// The duration of a lease, milliseconds.
    lease_ms: i64,
}

#[derive(Default)]
struct Failures {
    count: u32,
    outage: Option<Outage>,
}

/// The outage of a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outage {
    /// The last failure, Unix milliseconds.
    pub(super) failed_at: i64,
    /// Its error.
    pub(super) error: Arc<str>,
    /// Whether it counts for all deliveries that were due then.
    pub(super) is_counted: bool,
    /// Whether a probe began since.
    is_probing: bool,
    /// When the next probe may begin, Unix milliseconds.
    probe_at: i64,
    /// The delay before it, milliseconds.
    delay_ms: i64,
}

impl Outages {
    pub(super) fn new(lease_ms: i64) -> Self {
        Self { hooks: Mutex::default(), lease_ms }
    }

    /// The outage of a hook's receiver, if it is down.
    pub(super) fn of(&self, hook_id: &HookId) -> Option<Outage> {
        self.hooks().get(hook_id)?.outage.clone()
    }

    /// Whether the next probe of an outage may begin now. A time that is further away than any delay was set by a clock
    /// that has gone back since.
    pub(super) fn is_probe_due(&self, outage: &Outage, now: i64) -> bool {
        let left = outage.probe_at.saturating_sub(now);
        left <= 0 || left > self.lease_ms.max(MAX_PROBE_DELAY_MS)
    }

    /// A probe begins: there is no other one until its result is known, or its lease has expired.
    pub(super) fn probe(&self, hook_id: &HookId, now: i64) {
        if let Some(outage) = self.hooks().get_mut(hook_id).and_then(|failures| failures.outage.as_mut()) {
            outage.is_probing = true;
            outage.probe_at = now.saturating_add(self.lease_ms);
        }
    }

    /// The failure at this time counts for all deliveries that were due then.
    pub(super) fn counted(&self, hook_id: &HookId, failed_at: i64) {
        let mut hooks = self.hooks();
        let outage = hooks.get_mut(hook_id).and_then(|failures| failures.outage.as_mut());
        if let Some(outage) = outage.filter(|outage| outage.failed_at == failed_at) {
            outage.is_counted = true;
        }
    }

    /// Notes the result of an attempt that has just ended.
    pub(super) fn note(&self, record: &AttemptResult, now: i64) {
        // It was dropped before there was an attempt.
        let Some(attempt) = &record.attempt else {
            self.undecided(&record.hook_id, now);
            return;
        };
        match &record.result {
            WebhookOutcome::Failed { error, is_down: true, .. } => {
                self.fail(&record.hook_id, error, attempt.started_at, now);
            }
            // A transform failed, or what it made cannot be sent: that says nothing about the receiver.
            WebhookOutcome::Failed { .. } if attempt.status.is_none() => self.undecided(&record.hook_id, now),
            WebhookOutcome::Delivered | WebhookOutcome::Failed { .. } | WebhookOutcome::Dropped(_) => {
                self.hooks().remove(&record.hook_id);
            }
        }
    }

    /// A probe that says nothing about the receiver makes room for the next one.
    fn undecided(&self, hook_id: &HookId, now: i64) {
        let mut hooks = self.hooks();
        let outage = hooks.get_mut(hook_id).and_then(|failures| failures.outage.as_mut());
        if let Some(outage) = outage.filter(|outage| outage.is_probing) {
            outage.is_probing = false;
            outage.probe_at = outage.probe_at.min(now);
        }
    }

    fn fail(&self, hook_id: &HookId, error: &str, started_at: i64, now: i64) {
        let mut hooks = self.hooks();
        if hooks.len() >= MAX_HOOKS && !hooks.contains_key(hook_id) {
            hooks.clear();
        }
        let failures = hooks.entry(hook_id.clone()).or_default();
        failures.count = failures.count.saturating_add(1);
        if failures.count < FAILURES_OF_AN_OUTAGE {
            return;
        }
        // Attempts that began before the last failure was known do not make the delay longer.
        let delay_ms = match &failures.outage {
            None => FIRST_PROBE_DELAY_MS,
            Some(known) if started_at <= known.failed_at => known.delay_ms,
            Some(known) => known.delay_ms.saturating_mul(2).min(MAX_PROBE_DELAY_MS),
        };
        if failures.outage.is_none() {
            tracing::warn!(
                hook_id = hook_id.as_str(),
                error,
                "the receiver of a hook is down; one delivery at a time probes whether it is back"
            );
        }
        failures.outage = Some(Outage {
            failed_at: now,
            error: error.into(),
            is_counted: false,
            is_probing: false,
            probe_at: now + delay_ms,
            delay_ms,
        });
    }

    fn hooks(&self) -> MutexGuard<'_, HashMap<HookId, Failures>> {
        self.hooks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use claimsmith_storage::hooks::attempts::Attempt;

    const LEASE_MS: i64 = 15_000;

    fn hook() -> HookId {
        "h1".into()
    }

    /// An attempt that began then, with this result and this status.
    fn record(result: WebhookOutcome, status: Option<i64>, started_at: i64) -> AttemptResult {
        let attempt = Attempt {
            id: "a1".to_owned(),
            delivery_id: "msg_1".into(),
            hook_id: hook(),
            number: 1,
            started_at,
            duration_ms: 0,
            status,
            response_body: None,
            error: None,
        };
        AttemptResult {
            delivery_id: "msg_1".into(),
            hook_id: hook(),
            entity: None,
            lease: "lease".into(),
            attempts: 1,
            retries: None,
            attempt: Some(attempt),
            result,
        }
    }

    fn failed(is_down: bool, status: Option<i64>, at: i64) -> AttemptResult {
        record(WebhookOutcome::Failed { error: "no answer".to_owned(), hold: None, gone: false, is_down }, status, at)
    }

    fn down(at: i64) -> Outages {
        let outages = Outages::new(LEASE_MS);
        for _ in 0..FAILURES_OF_AN_OUTAGE {
            assert_eq!(outages.of(&hook()), None);
            outages.note(&failed(true, None, at), at);
        }
        outages
    }

    #[test]
    fn probes_become_rarer_until_the_receiver_is_back() {
        let outages = down(0);
        let mut now = 0;
        for delay in [1_000, 2_000, 4_000, 5_000, 5_000] {
            let outage = outages.of(&hook()).unwrap();
            assert_eq!((outage.failed_at, &*outage.error), (now, "no answer"));
            assert!(!outages.is_probe_due(&outage, now + delay - 1) && outages.is_probe_due(&outage, now + delay));
            now += delay;
            outages.probe(&hook(), now);
            // There is one at a time.
            let probing = outages.of(&hook()).unwrap();
            assert!(!outages.is_probe_due(&probing, now + LEASE_MS - 1));
            assert!(outages.is_probe_due(&probing, now + LEASE_MS));
            outages.note(&failed(true, Some(503), now), now);
        }
        outages.note(&record(WebhookOutcome::Delivered, Some(204), now), now);
        assert_eq!(outages.of(&hook()), None);
    }

    #[test]
    fn attempts_that_were_under_way_change_no_delay() {
        let outages = down(10);
        outages.note(&failed(true, None, 5), 20);
        let outage = outages.of(&hook()).unwrap();
        assert_eq!((outage.failed_at, outage.probe_at), (20, 1_020));
    }

    #[test]
    fn another_answer_is_no_outage_and_a_transform_says_nothing() {
        let outages = down(0);
        outages.note(&failed(false, None, 1), 1);
        assert!(outages.of(&hook()).is_some());
        outages.note(&failed(false, Some(404), 1), 1);
        assert_eq!(outages.of(&hook()), None);
    }

    #[test]
    fn a_probe_that_says_nothing_makes_room_for_the_next() {
        let outages = down(0);
        let is_due = |now| outages.is_probe_due(&outages.of(&hook()).unwrap(), now);
        let dropped =
            AttemptResult { attempt: None, ..record(WebhookOutcome::Dropped("unwanted".to_owned()), None, 0) };
        // No probe has begun: the wait is that of the failure.
        outages.note(&dropped, 10);
        assert!(!is_due(999));
        for said_nothing in [dropped, failed(false, None, 1_000)] {
            outages.probe(&hook(), 1_000);
            assert!(!is_due(1_005));
            outages.note(&said_nothing, 1_005);
            assert!(is_due(1_005));
        }
    }

    #[test]
    fn each_failure_is_counted_for_itself() {
        let outages = down(0);
        outages.counted(&hook(), 7);
        assert!(!outages.of(&hook()).unwrap().is_counted);
        outages.counted(&hook(), 0);
        assert!(outages.of(&hook()).unwrap().is_counted);
        outages.note(&failed(true, None, 9), 9);
        assert!(!outages.of(&hook()).unwrap().is_counted);
    }

    #[test]
    fn a_clock_that_goes_back_ends_the_wait() {
        let outages = down(100_000_000);
        let outage = outages.of(&hook()).unwrap();
        assert!(outages.is_probe_due(&outage, 5));
    }
}
