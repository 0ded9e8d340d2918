//! `GET /api/dashboard/health`.

use crate::plugins::last_hour::RecentPluginCalls;
use crate::plugins::spelled;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::dashboard::{
    CountsView, DatabaseView, DeliveriesView, EgressView, EncryptionView, FailingPluginView, Health, NodeView,
    PluginsView, ProviderOutageView, QueueView, TroubledHookView,
};
use claimsmith_domain::documents::plugin::State;
use claimsmith_domain::management::LogsRead;
use claimsmith_identity::heartbeat::ALIVE_MS;
use claimsmith_runtime::OnError;
use claimsmith_services::app::App;
use claimsmith_services::federation::Outage;
use claimsmith_services::plugins::PluginStatus;
use claimsmith_storage::connectors::{self, sso_connectors};
use claimsmith_storage::nodes::{self, Node};
use claimsmith_storage::plugins::versions::{self, Earlier};
use claimsmith_storage::statistics::overview::{self, FailingHook, ObjectCounts, QueueBacklog};
use claimsmith_storage::{Dialect, Tx};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use std::time::Instant;

/// How far back failures are counted: a day, in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// How many outages of providers are shown.
const MAX_OUTAGES: usize = 20;

/// Shows how the server does: its nodes, database, queues and plugins, and how much there is of what.
#[utoipa::path(
    get, path = "/api/dashboard/health", tag = "Dashboard",
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
    let recent = RecentPluginCalls::load(&mut tx, app, now).await?;
    let earlier = versions::before_active(&mut tx).await?;
    let known = nodes::list(&mut tx).await?.into_iter().map(|node| node_view(app, node, now)).collect();
    let source = app.config.source("encryption.key").to_string();
    Ok(Json(Health {
        now,
        nodes: known,
        database: database(&mut tx).await?,
        deliveries: DeliveriesView { queue: queue(&waiting), hooks: hooks.into_iter().map(hook_view).collect() },
        messages: queue(&messages),
        counts: counts_view(counts, plugins.len()),
        plugins: plugins_view(plugins, &recent, &earlier),
        providers: providers(&mut tx, app.federation.outages()).await?,
        encryption: EncryptionView { is_configured: app.config.encryption.key.is_some(), source },
        egress: EgressView {
            allowed_networks: app.config.egress.allowed_networks.iter().map(ToString::to_string).collect(),
            webhooks_reach_private: app.delivery.egress.is_unguarded(),
        },
    }))
}

/// The outages of connectors that still exist.
async fn providers(tx: &mut Tx, outages: Vec<Outage>) -> Result<Vec<ProviderOutageView>, ApiError> {
    let mut shown = Vec::with_capacity(outages.len());
    for outage in outages.into_iter().take(MAX_OUTAGES) {
        let company = sso_connectors::find(tx, &outage.connector_id.as_str().into()).await?;
        let is_enterprise = company.is_some();
        let name = match company {
            Some(company) => Some(company.connector_name),
            None => connectors::find(tx, &outage.connector_id.as_str().into()).await?.map(|found| found.target),
        };
        let Some(name) = name else { continue };
        let Outage { connector_id, failures, failing_since, failed_at, message } = outage;
        shown.push(ProviderOutageView {
            connector_id,
            name,
            is_enterprise,
            failures,
            failing_since,
            failed_at,
            message,
        });
    }
    Ok(shown)
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
    Ok(DatabaseView {
        kind: kind.to_owned(),
        round_trip_ms,
        size_bytes: database.size_bytes,
        migration: database.migration,
    })
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
        id: hook.id,
        name: hook.name,
        enabled: hook.enabled,
        disabled_reason: hook.disabled_reason,
        paused: hook.paused,
        waiting,
        failed_last_day: failed,
        failing_since: hook.failing_since,
    }
}

fn plugins_view(plugins: Vec<PluginStatus>, recent: &RecentPluginCalls, earlier: &[Earlier]) -> PluginsView {
    let active = plugins.iter().filter(|plugin| plugin.state == State::Active).count();
    let failing = plugins.into_iter().filter_map(|plugin| {
        let last_hour = recent.of(&plugin.name, plugin.digest.as_deref());
        let is_called = plugin.state == State::Active && last_hour.is_failing;
        if plugin.state != State::Failed && plugin.last_error.is_none() && !is_called && !plugin.breaker.is_open() {
            return None;
        }
        let kind = plugin.kind.map(spelled);
        let skips = matches!(plugin.on_error, OnError::Skip | OnError::Original);
        let previous = earlier.iter().find(|one| *one.plugin_name == *plugin.name).map(|one| one.id.to_string());
        Some(FailingPluginView {
            calls: is_called.then(|| last_hour.in_words(&plugin.name, kind.as_deref(), skips)),
            breaker: plugin.breaker.in_words(&plugin.name, kind.as_deref()),
            breaker_since: plugin.breaker.since,
            name: plugin.name.to_string(),
            state: plugin.state,
            message: plugin.last_error,
            last_hour,
            source: plugin.source,
            previous_version: previous,
        })
    });
    PluginsView { active, failing: failing.collect() }
}

fn counts_view(counts: ObjectCounts, plugins: usize) -> CountsView {
    let ObjectCounts { users, applications, roles, resources, organizations, hooks, connectors } = counts;
    CountsView { users, applications, roles, resources, organizations, hooks, connectors, plugins }
}

fn queue(backlog: &QueueBacklog) -> QueueView {
    QueueView { waiting: backlog.waiting, oldest_due_at: backlog.oldest_due_at, failed_last_day: backlog.failed }
}
