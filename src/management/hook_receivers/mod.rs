//! `/api/hook-receivers`: built-in receivers for testing webhooks.

mod change;
mod create;
mod list;
mod requests;

use crate::describe::routes;
use claimsmith_domain::id::HookReceiverId;
use claimsmith_services::app::App;
use claimsmith_storage::hooks::receivers::HookReceiver;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_hook_receiver, list::list_hook_receivers))
        .routes(routes!(change::change_hook_receiver, change::delete_hook_receiver))
        .routes(routes!(requests::list_hook_receiver_requests))
}

/// A receiver.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "h4x9c2v7b1n6m0k5j8g3f",
    "url": "https://id.example.com/hook-receivers/7Gq2LxW9bT4mKc8ZrV1nYp6Hs3JdF5aEuQ0oRiNwXtB",
    "status": 200, "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_086_400_000_i64
}))]
struct HookReceiverView {
    id: String,
    /// The URL for a hook. Anyone who knows it can send to it.
    url: String,
    /// What it answers.
    status: i64,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds. It is gone then, with its requests.
    expires_at: i64,
}

impl HookReceiverView {
    fn of(caller: &Caller, receiver: HookReceiver) -> Self {
        Self {
            url: caller.app.delivery.receivers.url(&receiver.token),
            id: receiver.id.into(),
            status: receiver.status,
            created_at: receiver.created_at,
            expires_at: receiver.expires_at,
        }
    }
}

/// Refuses a status that a receiver cannot answer. 410 would disable the hook permanently.
fn check(status: i64) -> Result<i64, ApiError> {
    if (200..600).contains(&status) && status != 410 {
        return Ok(status);
    }
    Err(ApiError::invalid_input("body", "Error in key path \"status\": expected 200 to 599, and not 410"))
}

fn unknown(id: &HookReceiverId) -> ApiError {
    ApiError::not_found("hook receiver", id)
}
