//! What the audit log keeps of refused token requests; what was shown in them is not part of it.

use super::{Proven, audit_of};
use crate::app::App;
use crate::http::error::OAuthError;
use crate::http::request_info::RequestInfo;
use crate::random;
use crate::refusal_sampling::Reason;
use crate::storage::Json;
use crate::storage::audit::Log;
use serde_json::{Map, Value, json};

/// Keeps a refusal: in an entry of its own, or as part of a number.
pub(super) fn note(app: &App, info: &RequestInfo, key: &'static str, proven: Proven, error: &OAuthError) {
    let Proven { client_id, secret_name } = proven;
    let reason = Reason { client_id, address: info.ip, key, code: error.error };
    if !app.refusals.admit(&reason, &error.description) {
        return;
    }
    let entry = entry(&reason, audit_of(info, secret_name.as_deref()), error, app.clock.now_ms());
    if !entry.is_some_and(|entry| app.issuer.note(entry)) {
        app.refusals.fold(&reason, &error.description);
    }
}

fn entry(reason: &Reason, mut payload: Map<String, Value>, error: &OAuthError, now: i64) -> Option<Log> {
    payload.insert("key".to_owned(), json!(reason.key));
    payload.insert("result".to_owned(), json!("Error"));
    payload.insert("error".to_owned(), json!({ "code": error.error, "message": error.description }));
    if let Some(client_id) = &reason.client_id {
        payload.insert("applicationId".to_owned(), json!(client_id));
    }
    let payload = Json(Value::Object(payload));
    Some(Log { id: random::id_at(now).ok()?, key: reason.key.to_owned(), payload, created_at: now })
}
