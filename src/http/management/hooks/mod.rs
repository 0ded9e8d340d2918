//! `/api/hooks`: a file per operation or two; here is how a hook is shown, and how its signing key is kept.

mod change;
mod create;
mod delete;
mod list;

use crate::app::App;
use crate::domain::event::EventType;
use crate::domain::hook::HookConfig;
use crate::http::error::ApiError;
use crate::http::extract::management::Management;
use crate::random;
use crate::storage::hooks::Hook;
use crate::tokens::context::TENANT;
use crate::webhooks::signing_key;
use serde::Serialize;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::create_hook, list::list_hooks))
        .routes(routes!(list::show_hook, change::update_hook, delete::delete_hook))
        .routes(routes!(change::rotate_signing_key))
}

/// A hook.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "y5u0i3o8p1l6k9j4h7g2f", "name": "Sync", "event": null, "events": ["User.Created"],
    "config": {
        "url": "https://hooks.example.com/claimsmith", "headers": { "x-source": "claimsmith" }, "retries": 3
    },
    "signingKey": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ", "enabled": true, "createdAt": 1_760_000_000_000_i64
}))]
pub(super) struct HookView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    name: String,
    /// Always null; `events` says it.
    event: Option<EventType>,
    /// What it is told of.
    events: Vec<EventType>,
    /// Where deliveries go.
    #[schema(value_type = HookConfig)]
    config: Value,
    /// What deliveries are signed with.
    signing_key: String,
    /// Whether it is told at all.
    enabled: bool,
    /// Unix milliseconds.
    created_at: i64,
}

impl HookView {
    fn of(management: &Management, hook: Hook) -> Result<Self, ApiError> {
        Ok(Self {
            signing_key: signing_key::open(&management.app.seal, &hook)?,
            tenant_id: TENANT,
            id: hook.id,
            name: hook.name,
            event: None,
            events: hook.events.0,
            config: hook.config.0,
            enabled: hook.enabled,
            created_at: hook.created_at,
        })
    }
}

/// A new signing key for the hook of this id, sealed.
fn new_signing_key(management: &Management, id: &str) -> Result<String, ApiError> {
    Ok(signing_key::seal(&management.app.seal, id, &random::secret(32)?)?)
}

fn missing_events() -> ApiError {
    let status = axum::http::StatusCode::BAD_REQUEST;
    ApiError::new(status, "hook.missing_events", "Name at least one event.")
}

/// Refuses a configuration that no delivery could use.
fn check(config: &HookConfig) -> Result<(), ApiError> {
    config.fault().map_or(Ok(()), |fault| Err(ApiError::invalid_input("body", fault)))
}
