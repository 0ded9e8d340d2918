//! The results of attempts: the next state of each delivery, and their effect on its hook, which is disabled when its
//! receiver stops accepting deliveries.

use crate::audit::Entry;
use crate::delivery_queue::{Error, backoff};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{DeliveryId, HookId};
use claimsmith_domain::random;
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::attempts::Attempt;
use claimsmith_storage::hooks::deliveries::FailedAttempt;
use claimsmith_storage::hooks::statistics::HookStatistics;
use claimsmith_storage::{RetryDecision, Tx, audit};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A hook that has failed for so long is disabled: five days, in milliseconds.
const DISABLE_AFTER_MS: i64 = 5 * 86_400_000;
/// So many attempts must have failed by then, so that a clock jump disables no hook.
const DISABLE_AFTER_FAILURES: i64 = 10;

/// The record of an attempt.
#[derive(Debug)]
pub(super) struct AttemptResult {
    pub(super) delivery_id: DeliveryId,
    pub(super) hook_id: HookId,
    pub(super) entity: Option<String>,
    /// The lease under which it was attempted.
    pub(super) lease: Arc<str>,
    /// Attempts until now, this one among them.
    pub(super) attempts: i64,
    /// How often the hook wants a delivery to be retried, if it says so.
    pub(super) retries: Option<u8>,
    /// The attempt; none for a delivery that was dropped before there was one.
    pub(super) attempt: Option<Attempt>,
    pub(super) result: WebhookOutcome,
}

/// How it ended.
#[derive(Debug)]
pub(super) enum WebhookOutcome {
    Delivered,
    Failed {
        error: String,
        /// The receiver's `Retry-After`, milliseconds.
        hold: Option<i64>,
        /// Whether the receiver answered 410 Gone.
        gone: bool,
        /// Whether the receiver did not answer, or with 5xx: then it may be down.
        is_down: bool,
    },
    Dropped(String),
}

impl WebhookOutcome {
    /// Its name in metrics.
    pub(super) const fn label(&self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Failed { .. } => "failed",
            Self::Dropped(_) => "dropped",
        }
    }
}

impl AttemptResult {
    /// The same without the receiver's texts: enough to count it, and to change the state of the delivery.
    pub(super) fn bare(self) -> Self {
        let text = || "the result could not be written; see the server's log".to_owned();
        let result = match self.result {
            WebhookOutcome::Delivered => WebhookOutcome::Delivered,
            WebhookOutcome::Dropped(_) => WebhookOutcome::Dropped(text()),
            WebhookOutcome::Failed { hold, gone, is_down, .. } => {
                WebhookOutcome::Failed { error: text(), hold, gone, is_down }
            }
        };
        Self { attempt: None, result, ..self }
    }
}

/// The results of a batch for one hook.
#[derive(Default)]
struct OfHook {
    statistics: HookStatistics,
    failures: i64,
    hold: i64,
    gone: bool,
}

/// Writes results, in one transaction.
pub(super) async fn write(tx: &mut Tx, records: &[AttemptResult], now: i64) -> Result<(), Error> {
    // Locks the hooks first, in the same order as the leases, against deadlocks.
    keep_of_hooks(tx, &by_hook(records), now).await?;
    let attempts: Vec<Attempt> = records.iter().filter_map(|record| record.attempt.clone()).collect();
    hooks::attempts::append(tx, &attempts).await?;
    let delivered = records.iter().filter(|record| matches!(record.result, WebhookOutcome::Delivered));
    let delivered: Vec<&DeliveryId> = delivered.map(|record| &record.delivery_id).collect();
    hooks::deliveries::succeed(tx, &delivered, now).await?;
    let (mut failed, mut ended) = (Vec::new(), Vec::new());
    for record in records {
        if let Some((next, note)) = next(record, now)? {
            failed.push(FailedAttempt { id: &record.delivery_id, lease: &record.lease, next, note });
            if matches!(next, RetryDecision::At(_)) {
                continue;
            }
        }
        ended.extend(record.entity.as_ref().map(|entity| (&record.hook_id, entity)));
    }
    hooks::deliveries::move_on(tx, &failed, now).await?;
    for (hook_id, entity) in ended {
        hooks::deliveries::release_next(tx, hook_id, entity, now).await?;
    }
    Ok(())
}

/// The next state of a delivery after a failed attempt, and the reason.
fn next(record: &AttemptResult, now: i64) -> Result<Option<(RetryDecision, &str)>, Error> {
    Ok(match &record.result {
        WebhookOutcome::Delivered => None,
        WebhookOutcome::Dropped(reason) => Some((RetryDecision::Dropped, reason)),
        WebhookOutcome::Failed { error, gone: true, .. } => Some((RetryDecision::Dead, error)),
        WebhookOutcome::Failed { error, .. } if record.retries.is_some_and(|most| record.attempts > most.into()) => {
            Some((RetryDecision::Dead, error))
        }
        WebhookOutcome::Failed { error, hold, .. } => {
            let [random] = random::bytes()?;
            let at = backoff::next_attempt(record.attempts, now, random, *hold);
            Some((at.map_or(RetryDecision::Dead, RetryDecision::At), error))
        }
    })
}

fn by_hook(records: &[AttemptResult]) -> BTreeMap<&HookId, OfHook> {
    let mut hooks: BTreeMap<&HookId, OfHook> = BTreeMap::new();
    for record in records {
        let of_hook = hooks.entry(&record.hook_id).or_default();
        of_hook.statistics.requests += i64::from(record.attempt.is_some());
        match &record.result {
            WebhookOutcome::Delivered => of_hook.statistics.successes += 1,
            WebhookOutcome::Failed { hold, gone, .. } => {
                of_hook.failures += 1;
                of_hook.hold = of_hook.hold.max(hold.unwrap_or_default());
                of_hook.gone |= gone;
            }
            WebhookOutcome::Dropped(_) => {}
        }
    }
    hooks
}

async fn keep_of_hooks(tx: &mut Tx, of_hooks: &BTreeMap<&HookId, OfHook>, now: i64) -> Result<(), Error> {
    let counted = of_hooks.iter().filter(|(_, of_hook)| of_hook.statistics.requests > 0);
    let counted: Vec<_> = counted.map(|(hook_id, of_hook)| (*hook_id, of_hook.statistics)).collect();
    hooks::statistics::add(tx, &counted, now).await?;
    let has_succeeded = |of_hook: &OfHook| of_hook.statistics.successes > 0 && !of_hook.gone;
    let succeeded = of_hooks.iter().filter(|(_, of_hook)| has_succeeded(of_hook));
    let succeeded: Vec<&HookId> = succeeded.map(|(hook_id, _)| *hook_id).collect();
    hooks::succeed(tx, &succeeded).await?;
    for (hook_id, of_hook) in of_hooks {
        if of_hook.hold > 0 {
            hooks::hold(tx, hook_id, now + of_hook.hold).await?;
        }
        if of_hook.gone {
            disable(tx, hook_id, "gone", now).await?;
        } else if of_hook.failures > 0 && !has_succeeded(of_hook) {
            fail(tx, hook_id, of_hook.failures, now).await?;
        }
    }
    Ok(())
}

/// Counts failures of a hook, and disables it if it has failed for long.
async fn fail(tx: &mut Tx, hook_id: &HookId, failures: i64, now: i64) -> Result<(), Error> {
    let failing = hooks::fail(tx, hook_id, failures, now).await?;
    let has_failed_for_long = failing
        .is_some_and(|hook| hook.failures >= DISABLE_AFTER_FAILURES && now - hook.failing_since >= DISABLE_AFTER_MS);
    if has_failed_for_long {
        disable(tx, hook_id, "failing", now).await?;
    }
    Ok(())
}

/// Disables a hook, and says so in the log and in the audit log.
async fn disable(tx: &mut Tx, hook_id: &HookId, reason: &'static str, now: i64) -> Result<(), Error> {
    if hooks::disable(tx, hook_id, reason).await? {
        tracing::warn!(
            hook_id = hook_id.as_str(),
            reason,
            "a hook was disabled, since its receiver does not accept deliveries"
        );
        let entry = Entry::success(AuditKey::WebhookDisable, json!({ "hookId": hook_id, "reason": reason }));
        audit::append(tx, &[entry.at(now)?]).await?;
    }
    Ok(())
}
