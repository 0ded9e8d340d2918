//! `GET /api/dashboard/health`.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::LogsRead;
use claimsmith_services::app::App;
use claimsmith_services::plugins::{PluginStatus, State};
use claimsmith_storage::nodes::{self, Node};
use claimsmith_storage::statistics::overview::{self, FailingHook, ObjectCounts, QueueBacklog};
use claimsmith_storage::{Dialect, Tx};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use std::time::Instant;

/// A node that reported within this time is alive; it reports every minute.
const ALIVE_MS: i64 = 180_000;
/// How far back failures are counted: a day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// How the server does.
#[derive(Serialize, utoipa::ToSchema)]
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
    "encryption": { "isConfigured": false, "source": "default" },
    "egress": { "allowedNetworks": [], "webhooksReachPrivate": false },
    "counts": { "users": 12, "applications": 1, "roles": 3, "resources": 1, "organizations": 0, "hooks": 0,
        "connectors": 0, "plugins": 2 }
}))]
pub(super) struct Health {
    /// The time of the server, Unix milliseconds.
    now: i64,
    /// The processes of the server, the last one started first.
    nodes: Vec<NodeView>,
    database: DatabaseView,
    deliveries: DeliveriesView,
    messages: QueueView,
    plugins: PluginsView,
    encryption: EncryptionView,
    egress: EgressView,
    counts: CountsView,
}

/// A process of the server.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct NodeView {
    /// Another at each start.
    id: String,
    version: String,
    /// Unix milliseconds.
    started_at: i64,
    /// Unix milliseconds; it writes once a minute that it is there.
    last_seen_at: i64,
    /// Whether it answers now.
    is_here: bool,
    /// Whether it was seen in the last three minutes.
    is_alive: bool,
}

/// The database.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DatabaseView {
    /// `sqlite` or `postgresql`.
    kind: &'static str,
    /// Milliseconds of the smallest query.
    round_trip_ms: f64,
    /// Bytes of the file of SQLite.
    size_bytes: Option<i64>,
    /// The number of the last migration.
    migration: i64,
}

/// What waits to be sent.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct QueueView {
    waiting: i64,
    /// Unix milliseconds.
    oldest_due_at: Option<i64>,
    /// Of deliveries the attempts that failed, of messages those that were given up.
    failed_last_day: i64,
}

/// Deliveries of webhooks.
#[derive(Serialize, utoipa::ToSchema)]
struct DeliveriesView {
    #[serde(flatten)]
    queue: QueueView,
    /// Those that fail, or were disabled by the server, the worst first, at most 20.
    hooks: Vec<TroubledHookView>,
}

/// A hook that fails.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct TroubledHookView {
    id: String,
    name: String,
    enabled: bool,
    /// `gone` or `failing`, when the server disabled it.
    disabled_reason: Option<String>,
    paused: bool,
    waiting: i64,
    failed_last_day: i64,
    /// The first failure since the last success, Unix milliseconds.
    failing_since: Option<i64>,
}

/// The plugins of this node.
#[derive(Serialize, utoipa::ToSchema)]
struct PluginsView {
    active: usize,
    /// Those that did not load, or whose newest version was refused.
    failing: Vec<FailingPluginView>,
}

/// A plugin that did not load.
#[derive(Serialize, utoipa::ToSchema)]
struct FailingPluginView {
    name: String,
    /// `active` when an older version serves.
    state: State,
    message: Option<String>,
}

/// The key that encrypts secrets at rest.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct EncryptionView {
    /// Whether it is configured; otherwise it is a file in the folder of the embedded database.
    is_configured: bool,
    /// Where from, such as `environment CLAIMSMITH_ENCRYPTION_KEY`.
    source: String,
}

/// What the server may ask of others.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct EgressView {
    /// Networks that are not public and may be reached.
    allowed_networks: Vec<String>,
    /// Whether webhooks may be sent to private addresses.
    webhooks_reach_private: bool,
}

/// How many there are.
#[derive(Serialize, utoipa::ToSchema)]
struct CountsView {
    users: i64,
    /// Those that came after the first start.
    applications: i64,
    roles: i64,
    resources: i64,
    organizations: i64,
    hooks: i64,
    connectors: i64,
    /// Of this node: uploaded ones and those of the folder.
    plugins: usize,
}

/// Shows how the server does: its nodes, database, queues and plugins, and how much there is of what.
#[utoipa::path(
    get, path = "/api/dashboard/health", tag = "Dashboard", summary = "Show how the server does",
    responses((status = 200, description = "How it does", body = Health), AccessRefused),
)]
pub(super) async fn show_health(management: Management<LogsRead>) -> Result<Json<Health>, ApiError> {
    let (app, now) = (&management.app, management.now());
    let mut tx = management.read().await?;
    let waiting = overview::deliveries(&mut tx, now - DAY_MS).await?;
    let hooks = overview::failing_hooks(&mut tx, now - DAY_MS).await?;
    let messages = overview::messages(&mut tx, now - DAY_MS).await?;
    let counts = overview::counts(&mut tx).await?;
    let plugins = app.plugins.list();
    let known = nodes::list(&mut tx).await?.into_iter().map(|node| node_view(app, node, now)).collect();
    let source = app.config.source("encryption.key").to_string();
    Ok(Json(Health {
        now,
        nodes: known,
        database: database(&mut tx).await?,
        deliveries: DeliveriesView { queue: waiting.into(), hooks: hooks.into_iter().map(hook_view).collect() },
        messages: messages.into(),
        counts: counts_view(counts, plugins.len()),
        plugins: plugins_view(plugins),
        encryption: EncryptionView { is_configured: app.config.encryption.key.is_some(), source },
        egress: EgressView {
            allowed_networks: app.config.egress.allowed_networks.iter().map(ToString::to_string).collect(),
            webhooks_reach_private: app.delivery.egress.is_unguarded(),
        },
    }))
}

async fn database(tx: &mut Tx) -> Result<DatabaseView, ApiError> {
    let kind = match tx.dialect() {
        Dialect::Sqlite => "sqlite",
        Dialect::Postgres => "postgresql",
    };
    let database = overview::database(tx).await?;
    let started = Instant::now();
    overview::ping(tx).await?;
    let round_trip_ms = started.elapsed().as_secs_f64() * 1000.0;
    Ok(DatabaseView { kind, round_trip_ms, size_bytes: database.size_bytes, migration: database.migration })
}

fn node_view(app: &App, node: Node, now: i64) -> NodeView {
    let is_here = node.id == app.node.id;
    NodeView {
        is_here,
        is_alive: is_here || now - node.seen_at < ALIVE_MS,
        id: node.id,
        version: node.version,
        started_at: node.started_at,
        last_seen_at: node.seen_at,
    }
}

fn hook_view(FailingHook { hook, waiting, failed }: FailingHook) -> TroubledHookView {
    TroubledHookView {
        id: hook.id.into(),
        name: hook.name,
        enabled: hook.enabled,
        disabled_reason: hook.disabled_reason,
        paused: hook.paused,
        waiting,
        failed_last_day: failed,
        failing_since: hook.failing_since,
    }
}

fn plugins_view(plugins: Vec<PluginStatus>) -> PluginsView {
    let active = plugins.iter().filter(|plugin| plugin.state == State::Active).count();
    let failing = plugins.into_iter().filter(|plugin| plugin.state == State::Failed || plugin.last_error.is_some());
    let failing = failing.map(|plugin| FailingPluginView {
        name: plugin.name.to_string(),
        state: plugin.state,
        message: plugin.last_error,
    });
    PluginsView { active, failing: failing.collect() }
}

fn counts_view(counts: ObjectCounts, plugins: usize) -> CountsView {
    let ObjectCounts { users, applications, roles, resources, organizations, hooks, connectors } = counts;
    CountsView { users, applications, roles, resources, organizations, hooks, connectors, plugins }
}

impl From<QueueBacklog> for QueueView {
    fn from(waiting: QueueBacklog) -> Self {
        Self { waiting: waiting.waiting, oldest_due_at: waiting.oldest_due_at, failed_last_day: waiting.failed }
    }
}
