//! The audit log entries and webhooks that the user of the demo application caused. Those of other users are not shown.

use super::guest::DemoGuest;
use super::memory::DemoUser;
use claimsmith_domain::clock::iso8601;
use claimsmith_pages::demo::TraceView;
use claimsmith_storage::audit::{self, Filter};
use claimsmith_storage::{Result, Slice};
use serde_json::Value;

/// Maximum number of entries that are read, and that are shown.
const MAX_READ: i64 = 100;
const MAX_SHOWN: usize = 12;

/// Entries of the audit log, newest first.
pub(super) async fn entries(guest: &DemoGuest, person: &DemoUser) -> Result<Vec<TraceView>> {
    let mut tx = guest.app.db.read().await?;
    let mut logs = Vec::new();
    // Actions of the application for the user, and of the backend for the application.
    for application_id in [&guest.demo.client_id, &guest.demo.backend_id] {
        let wanted = Filter { application_id: Some(application_id.clone()), ..Filter::default() };
        let slice = Slice { limit: MAX_READ, offset: 0 };
        logs.extend(audit::list(&mut tx, &wanted, slice).await?);
    }
    logs.retain(|log| mentions(&log.payload, &person.id));
    logs.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
    let view = |log: &audit::StoredAuditEntry| TraceView {
        time: iso8601(log.created_at),
        name: log.key.clone(),
        details: pretty(&log.payload),
    };
    Ok(logs.iter().take(MAX_SHOWN).map(view).collect())
}

/// Webhooks, newest first.
pub(super) fn deliveries(guest: &DemoGuest, person: &DemoUser) -> Vec<TraceView> {
    let received = guest.memory.deliveries().into_iter().filter_map(|received| {
        let name = received.body.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
        let body = Value::Object(received.body);
        mentions(&body, &person.id).then(|| TraceView { time: iso8601(received.at), name, details: pretty(&body) })
    });
    received.take(MAX_SHOWN).collect()
}

/// Whether a value contains a string, at any depth.
fn mentions(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found == text,
        Value::Array(items) => items.iter().any(|item| mentions(item, text)),
        Value::Object(members) => members.values().any(|member| mentions(member, text)),
        _ => false,
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
