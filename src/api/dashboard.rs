//! Bodies of `/api/dashboard`.

use claimsmith_domain::documents::plugin::{LastHour, Origin, State};
use claimsmith_domain::id::HookId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// How many users there are.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "totalUserCount": 1204 }))]
pub struct TotalUsers {
    pub total_user_count: i64,
}

/// How many users are new.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "today": { "count": 4, "delta": 1 }, "last7Days": { "count": 23, "delta": -2 } }))]
pub struct NewUsers {
    /// Today, compared with yesterday.
    pub today: Trend,
    /// The last seven days with today, compared with the seven before.
    pub last7_days: Trend,
}

/// A count, compared with the same span of time before.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Trend {
    pub count: i64,
    /// How many more than in the span before; negative when there are fewer.
    pub delta: i64,
}

/// How many users got a token.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "dauCurve": [{ "date": "2025-10-08", "count": 38 }, { "date": "2025-10-09", "count": 41 }],
    "dau": { "count": 41, "delta": 3 }, "wau": { "count": 120, "delta": -4 }, "mau": { "count": 310, "delta": 25 }
}))]
pub struct ActiveUsers {
    /// Each of the thirty days until the date, oldest first.
    pub dau_curve: Vec<CurvePoint>,
    /// On the date, compared with the day before.
    pub dau: Trend,
    /// In the seven days until the date, compared with the seven before.
    pub wau: Trend,
    /// In the thirty days until the date, compared with the thirty before.
    pub mau: Trend,
}

/// A day of the curve.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CurvePoint {
    /// `YYYY-MM-DD`.
    pub date: String,
    pub count: i64,
}

/// How long a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepLength {
    Minute,
    #[default]
    Hour,
    Day,
}

impl StepLength {
    /// Milliseconds of a step.
    #[must_use]
    pub fn ms(self) -> i64 {
        match self {
            Self::Minute => MINUTE_MS,
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
        }
    }

    /// Milliseconds that are shown by default.
    #[must_use]
    pub fn span_ms(self) -> i64 {
        match self {
            Self::Minute => HOUR_MS,
            Self::Hour => DAY_MS,
            Self::Day => 30 * DAY_MS,
        }
    }
}

/// What happened over time.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "from": 1_759_996_800_000_i64, "to": 1_760_000_400_000_i64, "step": "hour", "times": [1_759_996_800_000_i64],
    "series": [{
        "kind": "plugins", "name": "roles", "count": [30], "failures": [1], "meanMs": [0.4], "maxMs": [2.1],
        "total": { "count": 30, "failures": 1, "meanMs": 0.4, "maxMs": 2.1 }
    }]
}))]
pub struct ActivityView {
    /// The beginning of the first step, Unix milliseconds.
    pub from: i64,
    /// The end of the last step, Unix milliseconds.
    pub to: i64,
    pub step: StepLength,
    /// When each step begins, oldest first, Unix milliseconds. Every list of a series is as long.
    pub times: Vec<i64>,
    pub series: Vec<Series>,
}

/// What happened of one kind and name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// `signIns`, `registrations`, `tokens`, `plugins`, `deliveries` or `messages`.
    pub kind: String,
    /// Of `tokens` the grant, of `plugins` the plugin, else empty.
    pub name: String,
    /// How often, failures included.
    pub count: Vec<i64>,
    pub failures: Vec<i64>,
    /// Mean milliseconds; null where nothing was measured.
    pub mean_ms: Vec<Option<f64>>,
    /// Milliseconds of the slowest; null where nothing was measured.
    pub max_ms: Vec<Option<f64>>,
    pub total: Total,
}

/// The same over the whole time.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    pub count: i64,
    pub failures: i64,
    pub mean_ms: Option<f64>,
    pub max_ms: Option<f64>,
}

/// How the server does.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "now": 1_760_000_000_000_i64,
    "nodes": [{
        "id": "k3v8b1n6m0c4x9z2q7w5e", "version": "1.0.0", "startedAt": 1_759_990_000_000_i64,
        "lastSeenAt": 1_759_999_990_000_i64, "isHere": true, "isAlive": true
    }],
    "database": { "kind": "sqlite", "roundTripMs": 0.2, "sizeBytes": 1_048_576, "migration": 31 },
    "deliveries": { "waiting": 0, "oldestDueAt": null, "failedLastDay": 0, "hooks": [] },
    "messages": { "waiting": 0, "oldestDueAt": null, "failedLastDay": 0 },
    "plugins": { "active": 2, "failing": [] },
    "providers": [{
        "connectorId": "github", "name": "GitHub", "isEnterprise": false, "failures": 3,
        "failingSince": 1_759_999_000_000_i64, "failedAt": 1_759_999_980_000_i64,
        "message": "the upstream takes too long"
    }],
    "encryption": { "isConfigured": false, "source": "default" },
    "egress": { "allowedNetworks": [], "webhooksReachPrivate": false },
    "counts": { "users": 12, "applications": 1, "roles": 3, "resources": 1, "organizations": 0, "hooks": 0,
        "connectors": 0, "plugins": 2 }
}))]
pub struct Health {
    /// The time of the server, Unix milliseconds.
    pub now: i64,
    /// The processes of the server, the last one started first.
    pub nodes: Vec<NodeView>,
    pub database: DatabaseView,
    pub deliveries: DeliveriesView,
    pub messages: QueueView,
    pub plugins: PluginsView,
    /// Providers of connectors that could not be reached at sign-ins within the last hour on this node, the last
    /// failure first.
    pub providers: Vec<ProviderOutageView>,
    pub encryption: EncryptionView,
    pub egress: EgressView,
    pub counts: CountsView,
}

/// A process of the server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    /// Another at each start.
    pub id: String,
    pub version: String,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Unix milliseconds; it writes once a minute that it is there.
    pub last_seen_at: i64,
    /// Whether it answers now.
    pub is_here: bool,
    /// Whether it was seen in the last three minutes.
    pub is_alive: bool,
}

/// The database.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseView {
    /// `sqlite` or `postgresql`.
    pub kind: String,
    /// Milliseconds of the smallest query.
    pub round_trip_ms: f64,
    /// Bytes of the file of SQLite.
    pub size_bytes: Option<i64>,
    /// The number of the last migration.
    pub migration: i64,
}

/// What waits to be sent.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueView {
    pub waiting: i64,
    /// Unix milliseconds.
    pub oldest_due_at: Option<i64>,
    /// Of deliveries the attempts that failed, of messages those that were given up.
    pub failed_last_day: i64,
}

/// Deliveries of webhooks.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DeliveriesView {
    #[serde(flatten)]
    pub queue: QueueView,
    /// Those that fail, or were disabled by the server, the worst first, at most 20.
    pub hooks: Vec<TroubledHookView>,
}

/// A hook that fails.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TroubledHookView {
    pub id: HookId,
    pub name: String,
    pub enabled: bool,
    /// `gone` or `failing`, when the server disabled it.
    pub disabled_reason: Option<String>,
    pub paused: bool,
    pub waiting: i64,
    pub failed_last_day: i64,
    /// The first failure since the last success, Unix milliseconds.
    pub failing_since: Option<i64>,
}

/// The plugins of this node.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PluginsView {
    pub active: usize,
    /// Those that did not load, whose newest version was refused, or at least half of whose calls within the last hour
    /// denied or failed, of at least five.
    pub failing: Vec<FailingPluginView>,
}

/// A plugin that did not load, that refuses or fails at least half of what it is called for, or whose circuit breaker is
/// open.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailingPluginView {
    pub name: String,
    /// `active` when an older version serves, or when it loaded and its calls fail.
    pub state: State,
    /// Why it did not load.
    pub message: Option<String>,
    /// In a sentence, what its calls within the last hour came to; null where enough of them succeeded.
    pub calls: Option<String>,
    /// In a sentence, for whom its circuit breaker is open and why; null while it is closed.
    pub breaker: Option<String>,
    /// Since when the breaker is open, Unix milliseconds.
    pub breaker_since: Option<i64>,
    /// Its calls within the last hour on all nodes.
    pub last_hour: LastHour,
    /// Where it comes from.
    pub source: Origin,
    /// The version to which a rollback leads; null when there is none.
    pub previous_version: Option<String>,
}

/// A provider that could not be reached at sign-ins; the next one that succeeds ends it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderOutageView {
    /// The connector.
    pub connector_id: String,
    /// Its name.
    pub name: String,
    /// Whether it is an enterprise connector.
    pub is_enterprise: bool,
    /// How many sign-ins failed.
    pub failures: u64,
    /// The first failure, Unix milliseconds.
    pub failing_since: i64,
    /// The last failure, Unix milliseconds.
    pub failed_at: i64,
    /// Its reason.
    pub message: String,
}

/// The key that encrypts secrets at rest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EncryptionView {
    /// Whether it is configured; otherwise it is a file in the folder of the embedded database.
    pub is_configured: bool,
    /// Where from, such as `environment CLAIMSMITH_ENCRYPTION_KEY`.
    pub source: String,
}

/// What the server may ask of others.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EgressView {
    /// Networks that are not public and may be reached.
    pub allowed_networks: Vec<String>,
    /// Whether webhooks may be sent to private addresses.
    pub webhooks_reach_private: bool,
}

/// How many there are.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CountsView {
    pub users: i64,
    /// Those that came after the first start.
    pub applications: i64,
    pub roles: i64,
    pub resources: i64,
    pub organizations: i64,
    pub hooks: i64,
    pub connectors: i64,
    /// Of this node: uploaded ones and those of the folder.
    pub plugins: usize,
}
