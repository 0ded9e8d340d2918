//! `PATCH /api/hooks/{id}` and `PATCH /api/hooks/{id}/signing-key`.

use super::HookView;
use super::settings::HookSettings;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hook::HookConfig;
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::hook;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::{HooksWrite, Recent};
use claimsmith_json::{present, present_object};
use claimsmith_services::webhooks::signing_key;
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// Maximum time that a replaced key keeps signing.
const MAX_KEY_OVERLAP: Duration = Duration::from_hours(30 * 24);

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Sync", "events": ["User.Created", "User.Data.Updated"], "enabled": false }))]
pub(super) struct UpdateHook {
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
    /// What is left out of it stays; null takes a member away. `headers` is replaced as a whole.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = HookConfig, required = false)]
    config: Option<HookConfig>,
    /// Whether it is told at all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
    #[serde(flatten)]
    settings: HookSettings,
}

impl Patch for UpdateHook {
    const MERGED: &'static Merged = &patch::HOOK;
}

/// Changes a hook.
#[utoipa::path(
    patch, path = "/api/hooks/{id}", tag = "Hooks", summary = "Change a hook",
    params(("id" = String, Path, description = "The hook")),
    request_body = UpdateHook,
    responses(
        (status = 200, description = "The hook", body = HookView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_hook(
    management: Management<HooksWrite>,
    Id(id): Id<HookId>,
    body: PatchBody<UpdateHook>,
) -> Result<Json<HookView>, ApiError> {
    let mut tx = management.begin().await?;
    let mut hook = find(&mut tx, &id).await?;
    let body = body.over(&json!({ "config": hook.config.0 }))?;
    let names_events = body.events.is_some() || body.event.is_some();
    let events = hook::events(body.events, body.event);
    if names_events && events.is_none() {
        return Err(super::missing_events());
    }
    body.config.as_ref().map_or(Ok(()), super::check)?;
    body.settings.check()?;
    if let Some(name) = body.name {
        hook.name = name.into();
    }
    if let Some(events) = events {
        hook.events = Stored(events);
    }
    if let Some(config) = body.config {
        hook.config = Stored(serde_json::to_value(&config)?);
    }
    if let Some(enabled) = body.enabled {
        set_enabled(&mut hook, enabled);
    }
    body.settings.apply(&mut hook);
    hooks::update(&mut tx, &hook).await?;
    tx.audit(AuditKey::ManagementHookUpdate, json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(Json(HookView::of(&management, hook)?))
}

/// Enabling resets the failure count; disabling clears the automatic reason.
fn set_enabled(hook: &mut Hook, enabled: bool) {
    if enabled && !hook.enabled {
        (hook.failing_since, hook.failures) = (None, 0);
    }
    hook.disabled_reason = None;
    hook.enabled = enabled;
}

/// Gives a hook a new signing key. The one before signs beside it for a while, a day unless configured otherwise, so
/// that a receiver can change over; to end that at once, renew it with an overlap of 0.
#[utoipa::path(
    patch, path = "/api/hooks/{id}/signing-key", tag = "Hooks", summary = "Renew the signing key of a hook",
    params(("id" = String, Path, description = "The hook"), RenewQuery),
    responses(
        (status = 200, description = "The hook, with its new signing key", body = HookView),
        (status = 400, description = "No such overlap", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn rotate_signing_key(
    management: Management<Recent<HooksWrite>>,
    Id(id): Id<HookId>,
    Filters(query): Filters<RenewQuery>,
) -> Result<Json<HookView>, ApiError> {
    let overlap =
        query.overlap.map_or(management.app.config.webhooks.key_overlap, |seconds| Duration::from_secs(seconds.into()));
    if overlap > MAX_KEY_OVERLAP {
        return Err(ApiError::invalid_input("query", "Error in key path \"overlap\": expected at most 30 days"));
    }
    let sealed = super::new_signing_key(&management, &id)?;
    let now = management.now();
    let until = now + i64::try_from(overlap.as_millis()).unwrap_or(i64::MAX);
    let mut tx = management.begin().await?;
    let mut hook = find(&mut tx, &id).await?;
    if overlap.is_zero() {
        hook.previous_keys.clear();
    }
    signing_key::renew(&mut hook, sealed, until, now);
    hooks::update(&mut tx, &hook).await?;
    tx.audit(AuditKey::ManagementHookRotateSigningKey, json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(Json(HookView::of(&management, hook)?))
}

/// How a key is renewed.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RenewQuery {
    /// Seconds that the key before signs beside the new one, at most 30 days; 0 ends all keys before it at once.
    #[param(maximum = 2_592_000)]
    overlap: Option<u32>,
}

async fn find(tx: &mut Tx, id: &HookId) -> Result<Hook, ApiError> {
    hooks::find_to_change(tx, id).await?.ok_or_else(|| ApiError::nothing_to_change("hook", id))
}
