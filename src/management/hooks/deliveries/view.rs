//! How a delivery is shown.

use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_services::webhooks::delivery::{PreparedDelivery, TransformRun};
use claimsmith_storage::hooks::attempts::Attempt;
use claimsmith_storage::hooks::deliveries::Delivery;
use serde::{Deserialize, Serialize};

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// It waits for an attempt, or is being attempted.
    Pending,
    /// The receiver took it.
    Delivered,
    /// It was given up; it can be replayed.
    Dead,
    /// A transform decided not to deliver the event.
    Dropped,
}

impl State {
    pub(super) const ALL: [Self; 4] = [Self::Pending, Self::Delivered, Self::Dead, Self::Dropped];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
            Self::Dropped => "dropped",
        }
    }
}

/// One event for one hook.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "msg_s7d2f9g4h1j6k3l8m5n0b", "hookId": "y5u0i3o8p1l6k9j4h7g2f", "event": "User.Created", "state": "dead",
    "attempts": 13, "note": "the receiver answered 500", "nextAttemptAt": null,
    "createdAt": 1_760_000_000_000_i64, "finishedAt": 1_760_259_000_000_i64
}))]
pub(super) struct DeliveryView {
    /// The `webhook-id`, the same in every attempt and replay.
    id: String,
    hook_id: String,
    /// Such as `User.Created`.
    event: String,
    #[schema(value_type = State)]
    state: String,
    /// How many attempts there were.
    attempts: i64,
    /// Why it was given up or dropped, or what went wrong in the last attempt.
    note: Option<String>,
    /// Unix milliseconds; null while it is being attempted, and when it is done.
    next_attempt_at: Option<i64>,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    finished_at: Option<i64>,
}

/// A delivery with what is sent and what came of it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveryDetails {
    #[serde(flatten)]
    delivery: DeliveryView,
    /// The bytes of the body.
    body: String,
    /// Headers that transforms added, as names and values; the values are `********` for a caller without
    /// `hooks:write`.
    headers: Vec<(String, String)>,
    /// The path below the hook's own that a transform chose.
    path: Option<String>,
    /// The transforms that were asked.
    transforms: Vec<TransformRun>,
    /// Oldest first.
    log: Vec<AttemptView>,
}

/// One attempt.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AttemptView {
    /// From 1; begins again with a replay.
    number: i64,
    /// ISO 8601.
    started_at: String,
    duration_ms: i64,
    /// The status of the answer, if there was one.
    status: Option<i64>,
    /// The beginning of its body.
    response_body: Option<String>,
    /// Why it failed.
    error: Option<String>,
}

impl From<Delivery> for DeliveryView {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.into(),
            hook_id: delivery.hook_id.into(),
            event: delivery.kind,
            state: delivery.state,
            attempts: delivery.attempts,
            note: delivery.note,
            next_attempt_at: delivery.due_at.filter(|_| !delivery.leased),
            created_at: delivery.created_at,
            finished_at: delivery.finished_at,
        }
    }
}

impl DeliveryDetails {
    /// `may_write`: whether the caller may change the hook, and therefore see the headers that transforms set.
    pub(super) fn new(
        mut delivery: Delivery,
        attempts: Vec<Attempt>,
        may_write: bool,
    ) -> Result<Self, serde_json::Error> {
        let payload = std::mem::take(&mut delivery.payload);
        let prepared = PreparedDelivery::stored(delivery.prepared.as_deref(), payload, &delivery.hook_id)?;
        let PreparedDelivery { body, mut headers, path, transforms } = prepared;
        if !may_write {
            for (_, value) in &mut headers {
                HIDDEN.clone_into(value);
            }
        }
        let log = attempts.into_iter().map(AttemptView::from).collect();
        Ok(Self { delivery: delivery.into(), body: body.to_string(), headers, path, transforms, log })
    }
}

impl From<Attempt> for AttemptView {
    fn from(attempt: Attempt) -> Self {
        Self {
            number: attempt.number,
            started_at: iso8601(attempt.started_at),
            duration_ms: attempt.duration_ms,
            status: attempt.status,
            response_body: attempt.response_body,
            error: attempt.error,
        }
    }
}
