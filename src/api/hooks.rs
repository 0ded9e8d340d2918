//! Bodies of `/api/hooks`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::hook::{HookConfig, TransformRun};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::id::{DeliveryId, HookId};
use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A hook.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "y5u0i3o8p1l6k9j4h7g2f", "name": "Sync", "event": null, "events": ["User.Created"],
    "config": {
        "url": "https://hooks.example.com/claimsmith", "headers": { "x-source": "claimsmith" }, "retries": 3
    },
    "signingKey": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ",
    "signingSecret": "whsec_NGtUcThaYlcybVhyN05jVjFzWWQ2THBHOWhKZjNSYVE=",
    "publicKey": "whpk_0QFfVkkS4PE8b4ExYL2G2YSVUgvOL2jbGb1yLmd2E9k=",
    "enabled": true, "disabledReason": null, "failingSince": null, "paused": false, "ordered": false,
    "maxConcurrency": 50, "rateLimit": null, "createdAt": 1_760_000_000_000_i64
}))]
pub struct HookView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: HookId,
    pub name: String,
    /// The event that the client named by this member; null when it named `events`, which always says all of them.
    pub event: Option<EventType>,
    /// What it is told of.
    pub events: Vec<EventPattern>,
    /// Where deliveries go. For a caller without `hooks:write` the values of headers, and a password in the URL, are
    /// `********`.
    #[schema(value_type = HookConfig)]
    pub config: Value,
    /// The key of `logto-signature-sha-256`; `********` for a caller without `hooks:write`.
    pub signing_key: String,
    /// The same key as Standard Webhooks writes it, for signatures `v1`; hidden likewise.
    pub signing_secret: String,
    /// The key that verifies signatures `v1a`.
    pub public_key: Option<String>,
    /// Whether it is told at all.
    pub enabled: bool,
    /// Why the server disabled it: `gone`, since the receiver said so with status 410, or `failing`, for five days.
    pub disabled_reason: Option<String>,
    /// The first failure since the last success, Unix milliseconds.
    pub failing_since: Option<i64>,
    /// Whether deliveries wait.
    pub paused: bool,
    /// Whether events about one thing are told one after the other.
    pub ordered: bool,
    /// Deliveries at a time.
    pub max_concurrency: i64,
    /// Deliveries a second.
    pub rate_limit: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// What its deliveries came to in the last 24 hours, when the request asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub execution_stats: Option<ExecutionStats>,
}

/// What deliveries came to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionStats {
    /// Attempts that succeeded.
    pub success_count: i64,
    /// Attempts.
    pub request_count: i64,
}

/// A new hook.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Sync", "events": ["User.Created"],
    "config": {
        "url": "https://hooks.example.com/claimsmith", "headers": { "x-source": "claimsmith" }, "retries": 3
    }
}))]
pub struct CreateHook {
    /// Empty when not given.
    #[serde(default)]
    pub name: Given<Text<1, 256>>,
    /// What it is told of, at least one event or family of events.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<EventPattern>, required = false, min_items = 1)]
    pub events: Option<Vec<EventPattern>>,
    /// One event, for clients that know no lists.
    #[serde(default)]
    pub event: Option<EventType>,
    /// Where deliveries go.
    pub config: HookConfig,
    /// `true` when not given.
    #[serde(default)]
    pub enabled: Given<bool>,
    #[serde(flatten)]
    pub settings: HookSettings,
}

/// What is to change; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Sync", "events": ["User.Created", "User.Data.Updated"], "enabled": false }))]
pub struct UpdateHook {
    #[serde(default)]
    pub name: Given<Text<1, 256>>,
    /// What it is told of, at least one event or family of events.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<EventPattern>, required = false, min_items = 1)]
    pub events: Option<Vec<EventPattern>>,
    /// One event, for clients that know no lists.
    #[serde(default)]
    pub event: Option<EventType>,
    /// What is left out of it stays; null takes a member away. `headers` is replaced as a whole.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = HookConfig, required = false)]
    pub config: Option<HookConfig>,
    /// Whether it is told at all.
    #[serde(default)]
    pub enabled: Given<bool>,
    #[serde(flatten)]
    pub settings: HookSettings,
}

impl Patch for UpdateHook {
    const MERGED: &'static Merged = &patch::HOOK;
}

/// How fast and in which order; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookSettings {
    /// Whether deliveries wait until this is `false` again.
    #[serde(default)]
    pub paused: Given<bool>,
    /// Whether events about one user, role, scope or organization are told one after the other, in their order.
    #[serde(default)]
    pub ordered: Given<bool>,
    /// Deliveries at a time; 50 when not given.
    #[serde(default)]
    #[schema(value_type = i64, required = false, minimum = 1, maximum = 100)]
    pub max_concurrency: Given<i64>,
    /// Deliveries a second; null for as many as there are.
    #[serde(default)]
    #[schema(value_type = Option<i64>, required = false, minimum = 1, maximum = 1000)]
    pub rate_limit: Given<Option<i64>>,
}

/// What is to be tried.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({
    "events": ["User.Created"], "config": { "url": "https://hooks.example.com/claimsmith" }
}))]
pub struct TestHook {
    /// A payload of each is sent.
    #[schema(min_items = 1)]
    pub events: Vec<EventType>,
    /// Where to; the hook's own configuration is not touched.
    pub config: HookConfig,
}

/// An event that hooks can be told of.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "event": "Role.Deleted", "family": "Role.*",
    "example": {
        "event": "Role.Deleted", "createdAt": "2026-11-21T10:36:46.123Z", "userAgent": "node",
        "path": "/roles/p4x8k2m6t0a9", "method": "DELETE", "status": 204, "params": { "id": "p4x8k2m6t0a9" },
        "matchedRoute": "/roles/:id", "hookId": "y5u0i3o8p1l6k9j4h7g2f"
    }
}))]
pub struct HookEvent {
    pub event: EventType,
    /// The family that names it and its like; null for events of a sign-in, and for those that only their own name
    /// selects.
    pub family: Option<String>,
    /// The body of a delivery.
    #[schema(value_type = Object)]
    pub example: Value,
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
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
    pub const ALL: [Self; 4] = [Self::Pending, Self::Delivered, Self::Dead, Self::Dropped];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
            Self::Dropped => "dropped",
        }
    }
}

/// One event for one hook.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "msg_s7d2f9g4h1j6k3l8m5n0b", "hookId": "y5u0i3o8p1l6k9j4h7g2f", "event": "User.Created", "state": "dead",
    "attempts": 13, "note": "the receiver answered 500", "nextAttemptAt": null,
    "createdAt": 1_760_000_000_000_i64, "finishedAt": 1_760_259_000_000_i64
}))]
pub struct DeliveryView {
    /// The `webhook-id`, the same in every attempt and replay.
    pub id: DeliveryId,
    pub hook_id: HookId,
    /// Such as `User.Created`.
    pub event: String,
    pub state: State,
    /// How many attempts there were.
    pub attempts: i64,
    /// Why it was given up or dropped, or what went wrong in the last attempt.
    pub note: Option<String>,
    /// Unix milliseconds; null while it is being attempted, and when it is done.
    pub next_attempt_at: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub finished_at: Option<i64>,
}

/// A delivery with what is sent and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDetails {
    #[serde(flatten)]
    pub delivery: DeliveryView,
    /// The bytes of the body.
    pub body: String,
    /// Headers that transforms added, as names and values; the values are `********` for a caller without
    /// `hooks:write`.
    pub headers: Vec<(String, String)>,
    /// The path below the hook's own that a transform chose.
    pub path: Option<String>,
    /// The transforms that were asked.
    pub transforms: Vec<TransformRun>,
    /// Oldest first.
    pub log: Vec<AttemptView>,
}

/// One attempt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    /// From 1; begins again with a replay.
    pub number: i64,
    /// ISO 8601.
    pub started_at: String,
    pub duration_ms: i64,
    /// The status of the answer, if there was one.
    pub status: Option<i64>,
    /// The beginning of its body.
    pub response_body: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// Which deliveries are to be sent once more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "states": ["dead"], "events": ["User.Created"], "startTime": 1_760_000_000_000_i64 }))]
pub struct ReplayDeliveries {
    /// In these states; those that were given up when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<State>, required = false)]
    pub states: Option<Vec<State>>,
    /// Of these events; of any when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<EventType>, required = false)]
    pub events: Option<Vec<EventType>>,
    /// Of events from this time on, Unix milliseconds.
    #[serde(default)]
    pub start_time: Given<i64>,
    /// Of events until this time, Unix milliseconds.
    #[serde(default)]
    pub end_time: Given<i64>,
}

/// What is sent once more.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "replayed": 42, "more": false }))]
pub struct Replayed {
    /// How many deliveries.
    pub replayed: usize,
    /// Whether there may be more; the same call replays those.
    pub more: bool,
}
