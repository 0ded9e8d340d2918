//! One claimed delivery, from its transforms to its result.

use super::Delivery;
use super::body::{Prepared, TransformRun};
use super::record::{Outcome, Record, Waiting};
use super::send::Receiver;
use crate::plugins::{Action, Run, Transform};
use crate::random;
use crate::storage::attempts::Attempt;
use crate::storage::dispatch::Claimed;
use crate::storage::{self, deliveries};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// A hook of this round of claims.
pub(super) struct Hook {
    pub(super) id: String,
    pub(super) name: String,
    /// Or why nobody can be told: its settings or its keys cannot be read.
    pub(super) receiver: Result<Receiver, String>,
}

/// What is to become of a delivery before it is sent.
enum Plan {
    Send(Prepared),
    Drop(String),
    /// Not now; why, and how long it took to find out.
    Fail(String, Duration),
    /// Its claim has passed to another.
    Leave,
}

/// Attempts a delivery, and ends when the result is written.
pub(super) async fn run(
    shared: Arc<Delivery>,
    hook: Arc<Hook>,
    claim: Arc<str>,
    claimed: Claimed,
    results: mpsc::Sender<Waiting>,
) {
    let started_at = shared.clock.now_ms();
    let (result, status, response_body, duration) = match plan(&shared, &hook, &claim, &claimed).await {
        Ok(Plan::Leave) => return,
        Ok(Plan::Drop(reason)) => (Outcome::Dropped(reason), None, None, None),
        Ok(Plan::Fail(error, duration)) => (failed(error), None, None, Some(duration)),
        Ok(Plan::Send(prepared)) => match &hook.receiver {
            Err(error) => (failed(error.clone()), None, None, Some(Duration::ZERO)),
            Ok(receiver) => {
                let reply = receiver.tell(&shared.egress, &claimed.id, &prepared, started_at).await;
                let gone = reply.status == Some(410);
                let result = match reply.error {
                    None => Outcome::Delivered,
                    Some(error) => Outcome::Failed { error, hold: reply.hold, gone },
                };
                (result, reply.status, reply.body, Some(reply.duration))
            }
        },
        Err(error) => {
            // Its claim expires, and it is attempted again.
            tracing::warn!(%error, delivery = claimed.id, "a delivery cannot be prepared");
            return;
        }
    };
    let error = match &result {
        Outcome::Failed { error, .. } => {
            tracing::debug!(delivery = claimed.id, hook_id = claimed.hook_id, error, "an attempt to deliver failed");
            Some(error.clone())
        }
        Outcome::Delivered | Outcome::Dropped(_) => None,
    };
    let attempt = duration.zip(random::id(21).ok()).map(|(duration, id)| Attempt {
        id,
        delivery_id: claimed.id.clone(),
        hook_id: claimed.hook_id.clone(),
        number: claimed.attempts + 1,
        started_at,
        duration_ms: i64::try_from(duration.as_millis()).unwrap_or(i64::MAX),
        status: status.map(i64::from),
        response_body,
        error,
    });
    let record =
        Record { delivery_id: claimed.id, hook_id: claimed.hook_id, entity: claimed.entity, claim, attempt, result };
    let (written, wait) = oneshot::channel();
    if results.send((record, written)).await.is_ok() {
        // An error says that the server stops; the claim expires.
        let _ = wait.await;
    }
}

fn failed(error: String) -> Outcome {
    Outcome::Failed { error, hold: None, gone: false }
}

/// Transforms run once: what they made is stored before it is sent, so that every attempt sends the same bytes.
async fn plan(shared: &Delivery, hook: &Hook, claim: &str, claimed: &Claimed) -> storage::Result<Plan> {
    if claimed.prepared.is_some() || !shared.plugins.transforms(&claimed.kind, &hook.id, &hook.name) {
        let stored = Prepared::stored(claimed.prepared.as_deref(), &claimed.payload, &hook.id);
        let unreadable = |_| Plan::Fail("what transforms made cannot be read".to_owned(), Duration::ZERO);
        return Ok(stored.map_or_else(unreadable, Plan::Send));
    }
    let untransformed = Prepared::untransformed(&claimed.payload, &hook.id);
    let started = Instant::now();
    let delivery = Transform {
        delivery_id: &claimed.id,
        event: &claimed.kind,
        hook_id: &hook.id,
        hook_name: &hook.name,
        hook_url: hook.receiver.as_ref().map_or("", |receiver| receiver.config.url.as_str()),
        body: untransformed.body.into(),
    };
    let transformed = match shared.plugins.transform(&delivery).await {
        Ok(transformed) => transformed,
        Err(failure) => return Ok(Plan::Fail(failure.to_string(), started.elapsed())),
    };
    let transforms = transformed.runs.iter().map(shown).collect();
    let (prepared, dropped) = match transformed.action {
        Action::Send { body, headers, path } => (Prepared { body: body.to_string(), headers, path, transforms }, None),
        Action::Drop { plugin, reason } => {
            let body = delivery.body.to_string();
            let prepared = Prepared { body, headers: Vec::new(), path: None, transforms };
            (prepared, Some(format!("plugin {plugin}: {reason}")))
        }
    };
    let Ok(text) = serde_json::to_string(&prepared) else {
        return Ok(Plan::Fail("what transforms made cannot be kept".to_owned(), started.elapsed()));
    };
    let mut tx = shared.db.begin().await?;
    let is_ours = deliveries::prepare(&mut tx, &claimed.id, claim, &text).await?;
    tx.commit().await?;
    Ok(match dropped {
        _ if !is_ours => Plan::Leave,
        Some(reason) => Plan::Drop(reason),
        None => Plan::Send(prepared),
    })
}

fn shown(run: &Run) -> TransformRun {
    TransformRun {
        plugin: run.plugin.to_string(),
        digest: run.digest.as_deref().map(str::to_owned),
        outcome: run.outcome.to_owned(),
        duration_ms: u64::try_from(run.duration.as_millis()).unwrap_or(u64::MAX),
    }
}
