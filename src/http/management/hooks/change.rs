//! `PATCH /api/hooks/{id}` and `PATCH /api/hooks/{id}/signing-key`.

use super::HookView;
use crate::domain::event::EventType;
use crate::domain::hook::{self, HookConfig};
use crate::domain::present::present;
use crate::domain::text::Text;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::json::JsonBody;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::{BodyRefused, Refused};
use crate::storage::Tx;
use crate::storage::hooks::{self, Hook};
use axum::Json;
use serde::Deserialize;
use serde_json::json;
use sqlx::types::Json as Stored;

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Sync", "events": ["User.Created", "User.Data.Updated"], "enabled": false }))]
pub(super) struct UpdateHook {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256)]
    name: Option<Text<1, 256>>,
    /// What it is told of, at least one.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<EventType>, required = false, min_items = 1)]
    events: Option<Vec<EventType>>,
    /// One event, for clients that know no lists.
    #[serde(default)]
    event: Option<EventType>,
    /// Takes the place of the whole configuration.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = HookConfig, required = false)]
    config: Option<HookConfig>,
    /// Whether it is told at all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
}

/// Changes a hook.
#[utoipa::path(
    patch, path = "/api/hooks/{id}", tag = "Hooks", summary = "Change a hook",
    params(("id" = String, Path, description = "The hook")),
    request_body = UpdateHook,
    responses(
        (status = 200, description = "The hook", body = HookView),
        BodyRefused, Refused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "hooks:write"])),
)]
pub(super) async fn update_hook(
    caller: Caller,
    Id(id): Id,
    JsonBody(body): JsonBody<UpdateHook>,
) -> Result<Json<HookView>, ApiError> {
    let management = caller.require("hooks:write")?;
    body.config.as_ref().map_or(Ok(()), super::check)?;
    let names_events = body.events.is_some() || body.event.is_some();
    let events = hook::events(body.events, body.event);
    if names_events && events.is_none() {
        return Err(super::missing_events());
    }

    let mut tx = management.begin().await?;
    let mut hook = find(&mut tx, &id).await?;
    if let Some(name) = body.name {
        hook.name = name.into();
    }
    if let Some(events) = events {
        hook.events = Stored(events);
    }
    if let Some(config) = body.config {
        hook.config = Stored(serde_json::to_value(&config)?);
    }
    hook.enabled = body.enabled.unwrap_or(hook.enabled);
    hooks::update(&mut tx, &hook).await?;
    management.audit(&mut tx, "Management.Hook.Update", json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(Json(HookView::of(&management, hook)?))
}

/// Gives a hook a new signing key.
#[utoipa::path(
    patch, path = "/api/hooks/{id}/signing-key", tag = "Hooks", summary = "Renew the signing key of a hook",
    params(("id" = String, Path, description = "The hook")),
    responses(
        (status = 200, description = "The hook, with its new signing key", body = HookView),
        Refused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "hooks:write"])),
)]
pub(super) async fn rotate_signing_key(caller: Caller, Id(id): Id) -> Result<Json<HookView>, ApiError> {
    let management = caller.require("hooks:write")?;
    let signing_key = super::new_signing_key(&management, &id)?;
    let mut tx = management.begin().await?;
    let hook = Hook { signing_key, ..find(&mut tx, &id).await? };
    hooks::update(&mut tx, &hook).await?;
    management.audit(&mut tx, "Management.Hook.RotateSigningKey", json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(Json(HookView::of(&management, hook)?))
}

async fn find(tx: &mut Tx, id: &str) -> Result<Hook, ApiError> {
    hooks::find(tx, id).await?.ok_or_else(|| ApiError::nothing_to_change("hook", id))
}
