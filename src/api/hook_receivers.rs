//! Bodies of `/api/hook-receivers`.

use claimsmith_domain::documents::given::Given;
use claimsmith_domain::id::{HookId, HookReceiverId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A receiver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "h4x9c2v7b1n6m0k5j8g3f",
    "url": "https://id.example.com/hook-receivers/7Gq2LxW9bT4mKc8ZrV1nYp6Hs3JdF5aEuQ0oRiNwXtB",
    "status": 200, "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_086_400_000_i64
}))]
pub struct HookReceiverView {
    pub id: HookReceiverId,
    /// The URL for a hook. Anyone who knows it can send to it.
    pub url: String,
    /// What it answers.
    pub status: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds. It is gone then, with its requests.
    pub expires_at: i64,
}

/// A new receiver.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "status": 503 }))]
pub struct CreateHookReceiver {
    /// What it answers, 200 when not given. Another one than 2xx shows how deliveries are retried.
    #[serde(default)]
    #[schema(value_type = i64, required = false, minimum = 200, maximum = 599)]
    pub status: Given<i64>,
}

/// What a receiver is to answer.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "status": 503 }))]
pub struct ChangeHookReceiver {
    #[schema(minimum = 200, maximum = 599)]
    pub status: i64,
}

/// A request that came to a receiver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l6a1z8q3w5r0t7y2u", "receivedAt": 1_760_000_000_000_i64,
    "headers": [["content-type", "application/json"], ["webhook-id", "msg_f3h8k1x6w0q5z2c7v4b9n"]],
    "body": "{\"event\":\"User.Created\"}", "status": 200, "hookId": "h4x9c2v7b1n6m0k5j8g3f", "isSignatureValid": true
}))]
pub struct ReceivedView {
    pub id: String,
    /// Unix milliseconds.
    pub received_at: i64,
    /// Name and value of each; what a hook may have set is `********` for a caller without `hooks:write`.
    #[schema(value_type = Vec<Vec<String>>)]
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// What was answered.
    pub status: i64,
    /// The hook whose URL is that of the receiver, if there is one.
    pub hook_id: Option<HookId>,
    /// Whether a key of that hook signed the request (`v1`, at most five minutes before it came); null without a hook.
    pub is_signature_valid: Option<bool>,
}
