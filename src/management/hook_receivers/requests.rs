//! `GET /api/hook-receivers/{id}/requests`.

use super::unknown;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::id::HookReceiverId;
use claimsmith_domain::management::{HooksRead, HooksWrite};
use claimsmith_storage::hooks::receivers::{self, ReceivedRequest};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use serde_json::Value;

/// A request that came to a receiver.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l6a1z8q3w5r0t7y2u", "receivedAt": 1_760_000_000_000_i64,
    "headers": [["content-type", "application/json"], ["webhook-id", "msg_f3h8k1x6w0q5z2c7v4b9n"]],
    "body": "{\"event\":\"User.Created\"}", "status": 200, "hookId": "h4x9c2v7b1n6m0k5j8g3f", "isSignatureValid": true
}))]
pub(super) struct ReceivedView {
    id: String,
    /// Unix milliseconds.
    received_at: i64,
    /// Name and value of each; what a hook may have set is `********` for a caller without `hooks:write`.
    #[schema(value_type = Vec<Vec<String>>)]
    headers: Value,
    body: String,
    /// What was answered.
    status: i64,
    /// The hook whose URL is that of the receiver, if there is one.
    hook_id: Option<String>,
    /// Whether a key of that hook signed the request (`v1`, at most five minutes before it came); null without a hook.
    is_signature_valid: Option<bool>,
}

/// Headers of deliveries without secrets; others may have a secret that an operator set.
const HARMLESS: [&str; 10] = [
    "accept",
    "accept-encoding",
    "content-length",
    "content-type",
    "host",
    "logto-signature-sha-256",
    "user-agent",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
];

/// The headers, with `********` for values that may be secret.
fn without_secrets(mut headers: Value) -> Value {
    for header in headers.as_array_mut().into_iter().flatten() {
        let is_harmless = header[0].as_str().is_some_and(|name| HARMLESS.contains(&name));
        if !is_harmless && let Some(value) = header.get_mut(1) {
            *value = HIDDEN.into();
        }
    }
    headers
}

impl ReceivedView {
    /// `may_write`: whether the caller may change hooks, and therefore see their headers.
    fn of(request: ReceivedRequest, may_write: bool) -> Self {
        Self {
            id: request.id,
            received_at: request.received_at,
            headers: if may_write { request.headers.0 } else { without_secrets(request.headers.0) },
            body: request.body,
            status: request.status,
            hook_id: request.hook_id.map(Into::into),
            is_signature_valid: request.is_signature_valid,
        }
    }
}

/// Lists the newest 50 requests that came to a receiver, newest first.
#[utoipa::path(
    get, path = "/api/hook-receivers/{id}/requests", tag = "Hooks", summary = "List what came to a receiver",
    params(("id" = String, Path, description = "The receiver")),
    responses(
        (status = 200, description = "The requests", body = Vec<ReceivedView>),
        AccessRefused,
        (status = 404, description = "No such receiver", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_hook_receiver_requests(
    management: Management<HooksRead>,
    Id(id): Id<HookReceiverId>,
) -> Result<Json<Vec<ReceivedView>>, ApiError> {
    let mut tx = management.read().await?;
    receivers::find(&mut tx, &id, management.now()).await?.ok_or_else(|| unknown(&id))?;
    let may_write = management.holds::<HooksWrite>();
    let found = receivers::requests(&mut tx, &id).await?.into_iter();
    Ok(Json(found.map(|request| ReceivedView::of(request, may_write)).collect()))
}
