//! The health of the server: problems first, the most urgent on top, then what works.

use crate::caller::segment;
use crate::chart::value;
use claimsmith_api::dashboard::{
    DatabaseView, DeliveriesView, EncryptionView, FailingPluginView, Health, NodeView, PluginsView, ProviderOutageView,
    QueueView, TroubledHookView,
};
use claimsmith_domain::documents::plugin::{Origin, State};

/// Age from which a delivery counts as late, in milliseconds: ten minutes, longer than the first retries.
const LATE_MS: i64 = 600_000;
/// Query time in milliseconds from which the database counts as slow, because it then slows down every page.
const SLOW_MS: f64 = 100.0;

/// The severity; the most severe sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HealthLevel {
    Bad,
    Warning,
    Good,
}

impl HealthLevel {
    /// The label.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Bad => "Broken",
            Self::Warning => "Warning",
            Self::Good => "Healthy",
        }
    }

    /// The CSS class of its badge.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Bad => "bad",
            Self::Warning => "warn",
            Self::Good => "good",
        }
    }
}

/// A line of the health list.
pub(super) struct HealthLine {
    pub level: HealthLevel,
    pub what: String,
    pub says: String,
    /// Start time of the state, Unix milliseconds.
    pub since: Option<i64>,
    /// The path of a page with details; empty if there is none.
    pub path: String,
    /// The plugin that the line is about, if it can be disabled or rolled back here.
    pub plugin: Option<TroubledPlugin>,
}

/// A plugin whose calls fail, and the version to which a rollback leads.
pub(super) struct TroubledPlugin {
    pub name: String,
    pub is_file: bool,
    pub previous: Option<String>,
}

impl Default for HealthLine {
    fn default() -> Self {
        let (what, says, path) = (String::new(), String::new(), String::new());
        Self { level: HealthLevel::Good, what, says, since: None, path, plugin: None }
    }
}

/// All lines, the most severe first.
pub(super) fn lines(health: &Health) -> Vec<HealthLine> {
    let mut lines = nodes(&health.nodes);
    lines.push(database(&health.database));
    lines.extend(plugins(&health.plugins));
    lines.extend(health.providers.iter().map(provider));
    lines.extend(deliveries(&health.deliveries, health.now));
    lines.push(messages(&health.messages));
    lines.push(encryption(&health.encryption));
    lines.sort_by_key(|line| line.level);
    lines
}

fn nodes(nodes: &[NodeView]) -> Vec<HealthLine> {
    let (alive, gone): (Vec<&NodeView>, Vec<&NodeView>) = nodes.iter().partition(|node| node.is_alive);
    let version = alive.iter().find(|node| node.is_here).or(alive.first()).map_or("", |node| node.version.as_str());
    let is_mixed = alive.iter().any(|node| node.version != version);
    let says = match alive.len() {
        _ if is_mixed => "Nodes of different versions run; update the others soon.".to_owned(),
        1 => format!("1 node, version {version}."),
        count => format!("{count} nodes, version {version}."),
    };
    let since = alive.iter().map(|node| node.started_at).max();
    let level = if is_mixed { HealthLevel::Warning } else { HealthLevel::Good };
    let mut lines = vec![HealthLine { level, what: "Nodes".to_owned(), says, since, ..HealthLine::default() }];
    lines.extend(gone.into_iter().map(|node| HealthLine {
        level: HealthLevel::Warning,
        what: format!("Node {}", node.id),
        says: "It was not stopped in order, or cannot reach the database.".to_owned(),
        since: Some(node.last_seen_at),
        ..HealthLine::default()
    }));
    lines
}

fn database(database: &DatabaseView) -> HealthLine {
    let DatabaseView { kind, round_trip_ms, size_bytes, migration } = database;
    let name = if kind == "sqlite" { "SQLite" } else { "PostgreSQL" };
    let size = size_bytes.map(|bytes| format!(", {:.1} MiB", value(bytes) / 1_048_576.0)).unwrap_or_default();
    let says = format!("{name} answers in {round_trip_ms:.1} ms{size}; migration {migration}.");
    let level = if *round_trip_ms > SLOW_MS { HealthLevel::Warning } else { HealthLevel::Good };
    HealthLine { level, what: "Database".to_owned(), says, ..HealthLine::default() }
}

fn plugins(plugins: &PluginsView) -> Vec<HealthLine> {
    let of_one = |plugin| [unloaded(plugin), not_called(plugin), troubled(plugin)].into_iter().flatten();
    let failing = plugins.failing.iter().flat_map(of_one);
    let says = match plugins.active {
        0 => "None active.".to_owned(),
        1 => "1 active.".to_owned(),
        count => format!("{count} active."),
    };
    let path = "/console/plugins".to_owned();
    let active = HealthLine { what: "Plugins".to_owned(), says, path, ..HealthLine::default() };
    failing.chain([active]).collect()
}

/// The line of a plugin that did not load, or whose newest version was refused.
fn unloaded(plugin: &FailingPluginView) -> Option<HealthLine> {
    if plugin.state != State::Failed && plugin.message.is_none() {
        return None;
    }
    let serves = if plugin.state == State::Active { " The version before it still runs." } else { "" };
    Some(HealthLine {
        level: if serves.is_empty() { HealthLevel::Bad } else { HealthLevel::Warning },
        what: format!("Plugin {}", plugin.name),
        says: format!("{}{serves}", plugin.message.as_deref().unwrap_or("It does not load.")),
        path: format!("/console/plugins/{}", segment(&plugin.name)),
        ..HealthLine::default()
    })
}

/// The line of a plugin whose circuit breaker is open.
fn not_called(plugin: &FailingPluginView) -> Option<HealthLine> {
    Some(HealthLine {
        level: HealthLevel::Bad,
        what: format!("Plugin {}", plugin.name),
        says: plugin.breaker.clone()?,
        since: plugin.breaker_since,
        path: format!("/console/plugins/{}", segment(&plugin.name)),
        ..HealthLine::default()
    })
}

/// The line of a plugin whose calls fail. One that only denies may do so on purpose.
fn troubled(plugin: &FailingPluginView) -> Option<HealthLine> {
    Some(HealthLine {
        level: if plugin.last_hour.failed > 0 { HealthLevel::Bad } else { HealthLevel::Warning },
        what: format!("Plugin {}", plugin.name),
        says: plugin.calls.clone()?,
        path: format!("/console/plugins/{}", segment(&plugin.name)),
        plugin: Some(TroubledPlugin {
            name: plugin.name.clone(),
            is_file: plugin.source == Origin::Folder,
            previous: plugin.previous_version.clone(),
        }),
        ..HealthLine::default()
    })
}

fn deliveries(deliveries: &DeliveriesView, now: i64) -> Vec<HealthLine> {
    let QueueView { waiting, oldest_due_at, failed_last_day } = &deliveries.queue;
    let troubled =
        deliveries.hooks.iter().filter(|hook| hook.disabled_reason.is_some() || hook.failing_since.is_some());
    let mut lines: Vec<HealthLine> = troubled.map(hook).collect();
    let late = oldest_due_at.filter(|due| now - due > LATE_MS);
    let failed = match failed_last_day {
        0 => "none failed in the last 24 hours".to_owned(),
        count => format!("{count} attempts failed in the last 24 hours"),
    };
    let says = match late {
        Some(_) => format!("{waiting} queued, some for too long; {failed}."),
        None => format!("{waiting} queued; {failed}."),
    };
    let level = if late.is_some() { HealthLevel::Warning } else { HealthLevel::Good };
    let path = "/console/webhooks".to_owned();
    let what = "Deliveries of webhooks".to_owned();
    lines.push(HealthLine { level, what, says, since: late, path, plugin: None });
    lines
}

fn messages(messages: &QueueView) -> HealthLine {
    let QueueView { waiting, failed_last_day, .. } = messages;
    let (level, failed) = match failed_last_day {
        0 => (HealthLevel::Good, "all sent in the last 24 hours".to_owned()),
        1 => (HealthLevel::Warning, "1 given up in the last 24 hours".to_owned()),
        count => (HealthLevel::Warning, format!("{count} given up in the last 24 hours")),
    };
    let says = format!("{waiting} queued; {failed}.");
    HealthLine {
        level,
        what: "E-mails and texts".to_owned(),
        says,
        path: "/console/connectors".to_owned(),
        ..HealthLine::default()
    }
}

fn provider(outage: &ProviderOutageView) -> HealthLine {
    let failed = if outage.failures == 1 { "1 sign-in".to_owned() } else { format!("{} sign-ins", outage.failures) };
    let section = if outage.is_enterprise { "/console/connectors/enterprise" } else { "/console/connectors" };
    HealthLine {
        level: HealthLevel::Warning,
        what: format!("Connector {}", outage.name),
        says: format!("The provider could not be reached; {failed} failed: {}.", outage.message),
        since: Some(outage.failing_since),
        path: format!("{section}/{}", segment(&outage.connector_id)),
        ..HealthLine::default()
    }
}

fn encryption(encryption: &EncryptionView) -> HealthLine {
    let says = if encryption.is_configured {
        format!("Secrets are encrypted with the key of the {}.", encryption.source)
    } else {
        "Secrets are encrypted with a key in the data folder: keep it with the backup of the database.".to_owned()
    };
    let path = "/console/settings?q=encryption".to_owned();
    HealthLine { what: "Encryption".to_owned(), says, path, ..HealthLine::default() }
}

fn hook(hook: &TroubledHookView) -> HealthLine {
    let says = match hook.disabled_reason.as_deref() {
        Some("gone") => "The receiver is gone (410), so it was disabled.".to_owned(),
        Some(_) => "It failed for five days, so it was disabled.".to_owned(),
        None => format!("{} attempts failed in the last 24 hours, {} queued.", hook.failed_last_day, hook.waiting),
    };
    let level = if hook.disabled_reason.is_some() && !hook.enabled { HealthLevel::Bad } else { HealthLevel::Warning };
    let path = format!("/console/webhooks/hooks/{}", segment(&hook.id));
    HealthLine { level, what: format!("Webhook {}", hook.name), says, since: hook.failing_since, path, plugin: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_worst_stands_first() {
        let node = |id: &str, is_alive: bool| json!({ "id": id, "version": "1", "startedAt": 0, "lastSeenAt": 0, "isHere": is_alive, "isAlive": is_alive });
        let hook = json!({ "id": "h", "name": "Sync", "enabled": true, "paused": false, "waiting": 0,
            "failingSince": 5, "failedLastDay": 7 });
        let health = json!({
            "now": 10_000_000,
            "nodes": [node("here", true), node("gone", false)],
            "database": { "kind": "sqlite", "roundTripMs": 0.2, "sizeBytes": 1_048_576, "migration": 31 },
            "deliveries": { "waiting": 3, "oldestDueAt": 1, "failedLastDay": 7, "hooks": [hook] },
            "messages": { "waiting": 0, "oldestDueAt": null, "failedLastDay": 0 },
            "plugins": { "active": 2, "failing": [
                { "name": "roles", "state": "failed", "message": "no such file", "calls": null, "lastHour": {},
                    "source": "folder", "previousVersion": null },
                { "name": "boom", "state": "active", "message": null, "calls": "boom refused 7 of 7 tokens",
                    "lastHour": { "calls": 7, "failed": 7, "isFailing": true }, "source": "store", "previousVersion": "1" },
            ] },
            "providers": [{ "connectorId": "c/1", "name": "Acme", "isEnterprise": true, "failures": 2,
                "failingSince": 8, "failedAt": 9, "message": "the upstream takes too long" }],
            "encryption": { "isConfigured": false, "source": "default" },
            "egress": { "allowedNetworks": [], "webhooksReachPrivate": false },
            "counts": { "users": 1, "applications": 0, "roles": 0, "resources": 0, "organizations": 0, "hooks": 1,
                "connectors": 0, "plugins": 1 }
        });
        let Ok(health) = serde_json::from_value(health) else { unreachable!() };
        let shown: Vec<_> = lines(&health).into_iter().map(|line| (line.level, line.what)).collect();
        let expected = [
            (HealthLevel::Bad, "Plugin roles"),
            (HealthLevel::Bad, "Plugin boom"),
            (HealthLevel::Warning, "Node gone"),
            (HealthLevel::Warning, "Connector Acme"),
            (HealthLevel::Warning, "Webhook Sync"),
            (HealthLevel::Warning, "Deliveries of webhooks"),
            (HealthLevel::Good, "Nodes"),
        ];
        for (at, (level, what)) in expected.into_iter().enumerate() {
            assert_eq!(shown.get(at), Some(&(level, what.to_owned())));
        }
    }
}
