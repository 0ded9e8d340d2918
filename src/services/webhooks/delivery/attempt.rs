//! One delivery attempt: transforms, signature, request, result.

use super::DeliveryContext;
use super::body::PreparedDelivery;
use super::results::{AttemptResult, WebhookOutcome};
use super::send::Receiver;
use crate::plugins::{Action, Run, Transform};
use crate::supervisor::{Panicked, contain};
use claimsmith_domain::documents::hook::TransformRun;
use claimsmith_domain::id::HookId;
use claimsmith_domain::random;
use claimsmith_storage as storage;
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::attempts::Attempt;
use claimsmith_storage::hooks::leases::Leased;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A hook of this poll.
pub(super) struct PolledHook {
    pub(super) id: HookId,
    pub(super) name: String,
    /// Or why nothing can be sent: its settings or its keys cannot be read.
    pub(super) receiver: Result<Receiver, String>,
}

impl PolledHook {
    /// How often it wants a delivery to be retried, if it says so.
    fn retries(&self) -> Option<u8> {
        self.receiver.as_ref().ok().and_then(|receiver| receiver.config.retries)
    }
}

/// What to do with a delivery, before it is sent.
enum DeliveryPlan {
    Send(PreparedDelivery),
    Drop(String),
    /// Retry later: the reason, and how long it took.
    Fail(String, Duration),
    /// Its lease has passed to another worker.
    Leave,
}

/// The result of an attempt.
struct AttemptOutcome {
    result: WebhookOutcome,
    status: Option<u16>,
    response_body: Option<String>,
    /// None for a delivery that was dropped before there was an attempt.
    duration: Option<Duration>,
}

/// Attempts a delivery. A panic counts as a failed attempt, and is retried. `None` if its lease has passed to another
/// worker.
pub(super) async fn run(
    shared: &DeliveryContext,
    hook: &PolledHook,
    lease: Arc<str>,
    mut leased: Leased,
) -> Option<AttemptResult> {
    let started_at = shared.clock.now_ms();
    let started = Instant::now();
    let payload = std::mem::take(&mut leased.payload);
    let outcome = contain("delivery", attempt(shared, hook, (&lease, &leased), payload, started_at)).await;
    record_of(outcome, leased, lease, hook.retries(), (started_at, started.elapsed()))
}

/// The record of an attempt, with its start and duration. `None` if the lease has passed to another worker.
fn record_of(
    outcome: Result<Option<AttemptOutcome>, Panicked>,
    leased: Leased,
    lease: Arc<str>,
    retries: Option<u8>,
    (started_at, elapsed): (i64, Duration),
) -> Option<AttemptResult> {
    let outcome = match outcome {
        Ok(outcome) => outcome?,
        Err(Panicked) => AttemptOutcome::failed("an internal error of the server; see its log", elapsed),
    };
    let error = match &outcome.result {
        WebhookOutcome::Failed { error, .. } => {
            tracing::debug!(
                delivery = leased.id.as_str(),
                hook_id = leased.hook_id.as_str(),
                error,
                "an attempt to deliver failed"
            );
            Some(error.clone())
        }
        WebhookOutcome::Delivered | WebhookOutcome::Dropped(_) => None,
    };
    let attempt = outcome.duration.zip(random::id(21).ok()).map(|(duration, id)| Attempt {
        id,
        delivery_id: leased.id.clone(),
        hook_id: leased.hook_id.clone(),
        number: leased.attempts + 1,
        started_at,
        duration_ms: i64::try_from(duration.as_millis()).unwrap_or(i64::MAX),
        status: outcome.status.map(i64::from),
        response_body: outcome.response_body,
        error,
    });
    Some(AttemptResult {
        delivery_id: leased.id,
        hook_id: leased.hook_id,
        entity: leased.entity,
        lease,
        attempts: leased.attempts + 1,
        retries,
        attempt,
        result: outcome.result,
    })
}

/// `None` when the lease has passed to another.
async fn attempt(
    shared: &DeliveryContext,
    hook: &PolledHook,
    (lease, leased): (&str, &Leased),
    payload: String,
    started_at: i64,
) -> Option<AttemptOutcome> {
    let prepared = match plan(shared, hook, (lease, leased), payload).await {
        DeliveryPlan::Leave => return None,
        DeliveryPlan::Drop(reason) => {
            let result = WebhookOutcome::Dropped(reason);
            return Some(AttemptOutcome { result, status: None, response_body: None, duration: None });
        }
        DeliveryPlan::Fail(error, duration) => return Some(AttemptOutcome::failed(error, duration)),
        DeliveryPlan::Send(prepared) => prepared,
    };
    let receiver = match &hook.receiver {
        Ok(receiver) => receiver,
        Err(error) => return Some(AttemptOutcome::failed(error.as_str(), Duration::ZERO)),
    };
    let reply = receiver.tell((&shared.egress, &shared.receivers), &leased.id, &prepared, started_at).await;
    let gone = reply.status == Some(410);
    let result = match reply.error {
        None => WebhookOutcome::Delivered,
        Some(error) => WebhookOutcome::Failed { error, hold: reply.hold, gone, is_down: reply.is_down },
    };
    Some(AttemptOutcome { result, status: reply.status, response_body: reply.body, duration: Some(reply.duration) })
}

impl AttemptOutcome {
    fn failed(error: impl Into<String>, duration: Duration) -> Self {
        let result = WebhookOutcome::Failed { error: error.into(), hold: None, gone: false, is_down: false };
        Self { result, status: None, response_body: None, duration: Some(duration) }
    }
}

/// Transforms run once: their result is stored before it is sent, so that every attempt sends the same bytes.
async fn plan(
    shared: &DeliveryContext,
    hook: &PolledHook,
    (lease, leased): (&str, &Leased),
    payload: String,
) -> DeliveryPlan {
    if leased.prepared.is_some() || !shared.plugins.transforms(&leased.kind, &hook.id, &hook.name) {
        let stored = PreparedDelivery::stored(leased.prepared.as_deref(), payload, &hook.id);
        let unreadable =
            |_| DeliveryPlan::Fail("the stored result of the transforms cannot be read".to_owned(), Duration::ZERO);
        return stored.map_or_else(unreadable, DeliveryPlan::Send);
    }
    let untransformed = PreparedDelivery::untransformed(payload, &hook.id);
    let started = Instant::now();
    let delivery = Transform {
        delivery_id: &leased.id,
        event: &leased.kind,
        hook_id: &hook.id,
        hook_name: &hook.name,
        hook_url: hook.receiver.as_ref().map_or("", |receiver| receiver.config.url.as_str()),
        body: untransformed.body,
    };
    let transformed = match shared.plugins.transform(&delivery).await {
        Ok(transformed) => transformed,
        Err(failure) => return DeliveryPlan::Fail(failure.to_string(), started.elapsed()),
    };
    let transforms = transformed.runs.iter().map(shown).collect();
    let (prepared, dropped) = match transformed.action {
        Action::Send { body, headers, path } => (PreparedDelivery { body, headers, path, transforms }, None),
        Action::Drop { plugin, reason } => {
            let body = Arc::clone(&delivery.body);
            let prepared = PreparedDelivery { body, headers: Vec::new(), path: None, transforms };
            (prepared, Some(format!("plugin {plugin}: {reason}")))
        }
    };
    let Ok(text) = serde_json::to_string(&prepared) else {
        return DeliveryPlan::Fail(UNSTORABLE_RESULT.to_owned(), started.elapsed());
    };
    match keep(shared, lease, leased, &text).await {
        Ok(false) => DeliveryPlan::Leave,
        Ok(true) => dropped.map_or(DeliveryPlan::Send(prepared), DeliveryPlan::Drop),
        Err(error) => {
            tracing::warn!(%error, delivery = leased.id.as_str(), "the result of a delivery's transforms cannot be stored");
            DeliveryPlan::Fail(UNSTORABLE_RESULT.to_owned(), started.elapsed())
        }
    }
}

const UNSTORABLE_RESULT: &str = "the result of the transforms cannot be stored";

/// Stores the result of the transforms. `false` if the lease has passed to another worker.
async fn keep(shared: &DeliveryContext, lease: &str, leased: &Leased, text: &str) -> storage::Result<bool> {
    let mut tx = shared.db.begin().await?;
    let is_ours = hooks::deliveries::prepare(&mut tx, &leased.id, lease, text).await?;
    tx.commit().await?;
    Ok(is_ours)
}

fn shown(run: &Run) -> TransformRun {
    TransformRun {
        plugin: run.plugin.to_string(),
        digest: run.digest.as_deref().map(str::to_owned),
        outcome: run.outcome.to_owned(),
        duration_ms: u64::try_from(run.duration.as_millis()).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

    use super::*;

    #[tokio::test]
    async fn a_delivery_that_panics_is_an_attempt_that_failed() {
        let leased = Leased {
            id: "msg_1".into(),
            hook_id: "hook".into(),
            attempts: 3,
            prepared: None,
            kind: "User.Created".to_owned(),
            payload: String::new(),
            entity: Some("user:1".to_owned()),
        };
        let outcome = contain("delivery", async { panic!("on purpose") }).await;
        let record = record_of(outcome, leased, "lease".into(), None, (7, Duration::from_millis(5))).unwrap();
        // It is counted for the backoff and the maximal number of attempts.
        assert_eq!((record.attempts, record.entity.as_deref()), (4, Some("user:1")));
        let attempt = record.attempt.unwrap();
        assert_eq!((attempt.number, attempt.started_at, attempt.duration_ms, attempt.status), (4, 7, 5, None));
        assert!(attempt.error.unwrap().contains("see its log"));
        assert!(matches!(record.result, WebhookOutcome::Failed { hold: None, gone: false, .. }));
    }

    #[tokio::test]
    async fn a_delivery_whose_lease_has_passed_on_leaves_nothing() {
        let leased = Leased {
            id: "msg_1".into(),
            hook_id: "hook".into(),
            attempts: 0,
            prepared: None,
            kind: "User.Created".to_owned(),
            payload: String::new(),
            entity: None,
        };
        assert!(record_of(Ok(None), leased, "lease".into(), None, (0, Duration::ZERO)).is_none());
    }
}
