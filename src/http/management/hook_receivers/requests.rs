//! `GET /api/hook-receivers/{id}/requests`.

use super::unknown;
use crate::domain::id::HookReceiverId;
use crate::domain::management::HooksRead;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Management;
use crate::http::management::refusals::AccessRefused;
use crate::storage::hooks::receivers::{self, ReceivedRequest};
use axum::Json;
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
    /// Name and value of each.
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

impl From<ReceivedRequest> for ReceivedView {
    fn from(request: ReceivedRequest) -> Self {
        Self {
            id: request.id,
            received_at: request.received_at,
            headers: request.headers.0,
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
    Ok(Json(receivers::requests(&mut tx, &id).await?.into_iter().map(Into::into).collect()))
}
