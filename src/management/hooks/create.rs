//! `POST /api/hooks`.

use super::HookView;
use super::settings::HookSettings;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hook::HookConfig;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::hook;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::HooksWrite;
use claimsmith_json::present;
use claimsmith_storage::Json as Stored;
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// A new hook.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Sync", "events": ["User.Created"],
    "config": {
        "url": "https://hooks.example.com/claimsmith", "headers": { "x-source": "claimsmith" }, "retries": 3
    }
}))]
pub(super) struct CreateHook {
    /// Empty when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256)]
    name: Option<Text<1, 256>>,
    /// What it is told of, at least one event or family of events.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<EventPattern>, required = false, min_items = 1)]
    events: Option<Vec<EventPattern>>,
    /// One event, for clients that know no lists.
    #[serde(default)]
    event: Option<EventType>,
    /// Where deliveries go.
    config: HookConfig,
    /// `true` when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
    #[serde(flatten)]
    settings: HookSettings,
}

/// Creates a hook, which is told of what happens from now on.
#[utoipa::path(
    post, path = "/api/hooks", tag = "Hooks", summary = "Create a hook",
    request_body = CreateHook,
    responses(
        (status = 201, description = "The hook, with its signing key", body = HookView),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn create_hook(
    management: Management<HooksWrite>,
    JsonBody(body): JsonBody<CreateHook>,
) -> Result<(StatusCode, Json<HookView>), ApiError> {
    let events = hook::events(body.events, body.event).ok_or_else(super::missing_events)?;
    super::check(&body.config)?;
    body.settings.check()?;
    let id = HookId::from(management.app.random.id(21)?);
    let mut hook = Hook {
        name: body.name.map(Into::into).unwrap_or_default(),
        events: Stored(events),
        config: Stored(serde_json::to_value(&body.config)?),
        signing_key: super::new_signing_key(&management, &id)?,
        previous_keys: Stored(Vec::new()),
        enabled: body.enabled.unwrap_or(true),
        paused: false,
        ordered: false,
        max_in_flight: super::settings::DEFAULT_CONCURRENCY,
        rate_limit: None,
        failing_since: None,
        failures: 0,
        disabled_reason: None,
        created_at: management.now(),
        id,
    };
    body.settings.apply(&mut hook);

    let mut tx = management.begin().await?;
    hooks::insert(&mut tx, &hook).await?;
    tx.audit(AuditKey::ManagementHookCreate, json!({ "hookId": hook.id })).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(HookView::of(&management, hook)?)))
}
