//! Audit log entries of refused token requests and device authorization requests; credentials and tokens of the request
//! are left out.

use super::ProvenClient;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::refusal_sampling::RefusalReason;
use claimsmith_web::error::OAuthError;

/// Records a refusal: in an entry of its own, or as part of a count.
pub(crate) fn note(app: &App, origin: &RequestOrigin, key: AuditKey, proven: ProvenClient, error: &OAuthError) {
    let details = proven.details();
    let reason = RefusalReason { client_id: proven.client_id, address: origin.ip, key, code: error.error };
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
    let entry = details.into_iter().fold(entry, |entry, (name, detail)| entry.with(&name, detail));
    // Without random numbers there is no id.
    if !entry.at(app.clock.now_ms()).is_ok_and(|log| app.issuer.note(log)) {
        app.refusals.fold(&reason, error.meant());
    }
}
