//! Audit log entries of refused token requests and device authorization requests; credentials and tokens of the request
//! are left out.

use super::ProvenClient;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::refusal_sampling::RefusalReason;
use claimsmith_services::tokens::RefusedBy;
use claimsmith_web::error::OAuthError;
use serde_json::json;

/// Records a refusal: in an entry of its own, or as part of a count.
pub(crate) fn note(app: &App, origin: &RequestOrigin, key: AuditKey, proven: ProvenClient, error: &OAuthError) {
    let details = proven.details();
    let by = error.refused_by();
    let plugin = by.map(|by| by.plugin.as_str().into());
    let reason = RefusalReason { client_id: proven.client_id, address: origin.ip, key, code: error.error, plugin };
    if !app.refusals.admit(&reason, error.meant()) {
        return;
    }
    let mut entry = Entry::refused(key, error.error, error.meant()).from(origin);
    if let Some(id) = &reason.client_id {
        entry = entry.by(&Actor::Application { id: id.clone() });
    }
    if let Some(detail) = error.detail() {
        entry = entry.with("detail", detail);
    }
    if let Some(by) = by {
        entry = with_plugin(entry, by);
    }
    let entry = details.into_iter().fold(entry, |entry, (name, detail)| entry.with(&name, detail));
    // Without random numbers there is no id.
    if !entry.at(app.clock.now_ms()).is_ok_and(|log| app.issuer.note(log)) {
        app.refusals.fold(&reason, error.meant());
    }
}

/// Adds the plugin that refused the token: name, version, and what it said.
fn with_plugin(entry: Entry, by: &RefusedBy) -> Entry {
    let RefusedBy { plugin, version, digest, outcome, error, user_id } = by;
    let facts = [
        ("pluginVersion", version.map(|version| json!(version.to_string()))),
        ("pluginDigest", digest.as_ref().map(|digest| json!(digest))),
        ("pluginError", error.as_ref().map(|error| json!(error))),
        ("userId", user_id.as_ref().map(|id| json!(id))),
    ];
    let entry = entry.with("plugin", plugin.as_str()).with("pluginOutcome", outcome.as_str());
    facts
        .into_iter()
        .filter_map(|(name, fact)| Some((name, fact?)))
        .fold(entry, |entry, (name, fact)| entry.with(name, fact))
}
