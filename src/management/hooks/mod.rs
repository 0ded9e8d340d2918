//! `/api/hooks`: the routes, the operations on hooks, and what the other files of this folder share.

mod deliveries;
mod recent_logs;
mod signing_key;
mod trial;

pub use recent_logs::delivery_log;

use crate::describe::routes;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage};
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::hooks::{CreateHook, ExecutionStats, HookSettings, HookView, UpdateHook};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::documents::hook::HookConfig;
use claimsmith_domain::documents::uri_rule::UriRule;
use claimsmith_domain::hook;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::{HooksRead, HooksWrite};
use claimsmith_services::app::App;
use claimsmith_services::webhooks::signing_key as keys;
use claimsmith_storage::hooks::statistics::HookStatistics;
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use url::Url;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_hook, self::list_hooks))
        .routes(routes!(trial::list_hook_events))
        .routes(routes!(self::show_hook, self::update_hook, self::delete_hook))
        .routes(routes!(signing_key::rotate_signing_key))
        .routes(routes!(trial::test_hook))
        .routes(routes!(recent_logs::list_recent_logs))
        .merge(deliveries::router())
}

fn missing_events() -> ApiError {
    ApiError::new(ApiCode::HookMissingEvents, "Name at least one event.")
}

/// Refuses headers that a request cannot have.
fn check(config: &HookConfig) -> Result<(), ApiError> {
    config.fault().map_or(Ok(()), |fault| Err(ApiError::invalid_input("body", fault)))
}

/// Refuses a URL that can never work, unless it is `stored` already, by an earlier version.
fn check_url(config: &HookConfig, stored: Option<&str>) -> Result<(), ApiError> {
    let url = config.url.as_str();
    match UriRule::Delivery.fault(url).filter(|_| stored != Some(url)) {
        Some(fault) => {
            let message = format!("Error in key path \"config.url\": {}", fault.text());
            Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message))
        }
        None => Ok(()),
    }
}

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// What is to be shown of hooks.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct HooksQuery {
    /// `true` for `executionStats`: attempts and successes of the last 24 hours.
    include_execution_stats: Option<String>,
}

/// Lists hooks, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/hooks", tag = "Hooks",
    params(HooksQuery, OptionalPageParameters),
    responses(
        (status = 200, description = "The hooks", body = Vec<HookView>),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_hooks(
    management: Management<HooksRead>,
    Filters(query): Filters<HooksQuery>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let total = hooks::count(&mut tx).await?;
    let hooks = hooks::list(&mut tx, page.slice()).await?;
    page.answer(total, views(&management, &mut tx, &query, hooks).await?)
}

/// Shows a hook.
#[utoipa::path(
    get, path = "/api/hooks/{id}", tag = "Hooks",
    params(("id" = String, Path, description = "The hook"), HooksQuery),
    responses(
        (status = 200, description = "The hook", body = HookView),
        (status = 400, description = "The query cannot be read", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_hook(
    management: Management<HooksRead>,
    Id(id): Id<HookId>,
    Filters(query): Filters<HooksQuery>,
) -> Result<Json<HookView>, ApiError> {
    let mut tx = management.read().await?;
    let hook = hooks::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("hook", &id))?;
    let views = views(&management, &mut tx, &query, vec![hook]).await?;
    views.into_iter().next().map(Json).ok_or_else(|| ApiError::not_found("hook", &id))
}

async fn views(
    management: &Caller,
    tx: &mut Tx,
    query: &HooksQuery,
    hooks: Vec<Hook>,
) -> Result<Vec<HookView>, ApiError> {
    let asked = query.include_execution_stats.as_deref().is_some_and(|text| !text.is_empty() && text != "false");
    let mut counted: HashMap<HookId, HookStatistics> = HashMap::new();
    if asked {
        for ids in hooks.iter().map(|hook| &hook.id).collect::<Vec<_>>().chunks(500) {
            counted.extend(hooks::statistics::since(tx, ids, management.now() - DAY_MS).await?);
        }
    }
    let with_stats = |hook: Hook| {
        let stats = asked.then(|| counted.get(&hook.id).copied().unwrap_or_default());
        let stats = stats.map(|of| ExecutionStats { success_count: of.successes, request_count: of.requests });
        Ok(HookView { execution_stats: stats, ..view(management, hook)? })
    };
    hooks.into_iter().map(with_stats).collect()
}

/// Creates a hook, which is told of what happens from now on.
#[utoipa::path(
    post, path = "/api/hooks", tag = "Hooks",
    request_body = CreateHook,
    responses(
        (status = 201, description = "The hook, with its signing key", body = HookView),
        BodyRefused, AccessRefused,
        (status = 422, description = "The URL can never work", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_hook(
    management: Management<HooksWrite>,
    JsonBody(body): JsonBody<CreateHook>,
) -> Result<(StatusCode, Json<HookView>), ApiError> {
    let single_event = body.event.filter(|_| body.events.is_none());
    let events = hook::events(body.events, body.event).ok_or_else(missing_events)?;
    check(&body.config)?;
    check_url(&body.config, None)?;
    check_settings(&body.settings)?;
    let id = HookId::from(management.app.random.id(21)?);
    let mut hook = Hook {
        name: body.name.0.map(Into::into).unwrap_or_default(),
        events: Stored(events),
        single_event,
        config: Stored(serde_json::to_value(&body.config)?),
        signing_key: signing_key::new_signing_key(&management, &id)?,
        previous_keys: Stored(Vec::new()),
        enabled: body.enabled.unwrap_or(true),
        paused: false,
        ordered: false,
        max_in_flight: DEFAULT_CONCURRENCY,
        rate_limit: None,
        failing_since: None,
        failures: 0,
        disabled_reason: None,
        created_at: management.now(),
        id,
    };
    apply(&body.settings, &mut hook);

    let mut tx = management.begin().await?;
    hooks::insert(&mut tx, &hook).await?;
    tx.audit(AuditKey::ManagementHookCreate, json!({ "hookId": hook.id })).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view(&management, hook)?)))
}

/// Changes a hook.
#[utoipa::path(
    patch, path = "/api/hooks/{id}", tag = "Hooks",
    params(("id" = String, Path, description = "The hook")),
    request_body = UpdateHook,
    responses(
        (status = 200, description = "The hook", body = HookView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
        (status = 422, description = "The URL can never work", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_hook(
    management: Management<HooksWrite>,
    Id(id): Id<HookId>,
    body: PatchBody<UpdateHook>,
) -> Result<Json<HookView>, ApiError> {
    let mut tx = management.begin().await?;
    let mut hook = find_to_change(&mut tx, &id).await?;
    let body = body.over(&json!({ "config": hook.config.0 }))?;
    let names_events = body.events.is_some() || body.event.is_some();
    let single_event = body.event.filter(|_| body.events.is_none());
    let events = hook::events(body.events, body.event);
    if names_events && events.is_none() {
        return Err(missing_events());
    }
    if let Some(config) = &body.config {
        check(config)?;
        check_url(config, hook.config.0.get("url").and_then(Value::as_str))?;
    }
    check_settings(&body.settings)?;
    if let Some(name) = body.name.0 {
        hook.name = name.into();
    }
    if let Some(events) = events {
        (hook.events, hook.single_event) = (Stored(events), single_event);
    }
    if let Some(config) = body.config {
        hook.config = Stored(serde_json::to_value(&config)?);
    }
    if let Some(enabled) = body.enabled.0 {
        set_enabled(&mut hook, enabled);
    }
    apply(&body.settings, &mut hook);
    hooks::update(&mut tx, &hook).await?;
    tx.audit(AuditKey::ManagementHookUpdate, json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(Json(view(&management, hook)?))
}

/// Enabling resets the failure count; disabling clears the automatic reason.
fn set_enabled(hook: &mut Hook, enabled: bool) {
    if enabled && !hook.enabled {
        (hook.failing_since, hook.failures) = (None, 0);
    }
    hook.disabled_reason = None;
    hook.enabled = enabled;
}

async fn find_to_change(tx: &mut Tx, id: &HookId) -> Result<Hook, ApiError> {
    hooks::find_to_change(tx, id).await?.ok_or_else(|| ApiError::nothing_to_change("hook", id))
}

/// Deletes a hook with all that it was still to be told.
#[utoipa::path(
    delete, path = "/api/hooks/{id}", tag = "Hooks",
    params(("id" = String, Path, description = "The hook")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_hook(
    management: Management<HooksWrite>,
    Id(id): Id<HookId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !hooks::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("hook", &id));
    }
    tx.audit(AuditKey::ManagementHookDelete, json!({ "hookId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Default number of concurrent deliveries of a hook. They are leased and their results written together, so that each
/// costs less than with few of them.
const DEFAULT_CONCURRENCY: i64 = 50;
const MAX_CONCURRENCY: i64 = 100;
const MAX_DELIVERIES_PER_SECOND: i64 = 1000;

/// Refuses numbers that are out of bounds.
fn check_settings(settings: &HookSettings) -> Result<(), ApiError> {
    bounded("maxConcurrency", settings.max_concurrency.0, MAX_CONCURRENCY)?;
    bounded("rateLimit", settings.rate_limit.flatten(), MAX_DELIVERIES_PER_SECOND)
}

/// Applies the settings to a hook.
fn apply(settings: &HookSettings, hook: &mut Hook) {
    hook.paused = settings.paused.unwrap_or(hook.paused);
    hook.ordered = settings.ordered.unwrap_or(hook.ordered);
    hook.max_in_flight = settings.max_concurrency.unwrap_or(hook.max_in_flight);
    hook.rate_limit = settings.rate_limit.unwrap_or(hook.rate_limit);
}

fn bounded(name: &str, value: Option<i64>, most: i64) -> Result<(), ApiError> {
    if value.is_some_and(|value| !(1..=most).contains(&value)) {
        let fault = format!("Error in key path \"{name}\": expected a whole number from 1 to {most}");
        return Err(ApiError::invalid_input("body", fault));
    }
    Ok(())
}

/// A configuration with `********` for header values and for a password in the URL.
fn without_secrets(mut config: Value) -> Value {
    if let Some(headers) = config.get_mut("headers").and_then(Value::as_object_mut) {
        headers.values_mut().for_each(|value| *value = HIDDEN.into());
    }
    let url = config.get("url").and_then(Value::as_str).and_then(|url| Url::parse(url).ok());
    if let Some(mut url) = url.filter(|url| url.password().is_some())
        && url.set_password(Some(HIDDEN)).is_ok()
    {
        config["url"] = url.as_str().into();
    }
    config
}

fn view(management: &Caller, hook: Hook) -> Result<HookView, ApiError> {
    let key = keys::current(&management.app.cipher, &hook)?;
    // Callers who cannot change hooks need no secrets: with them they could impersonate this server, or the
    // operator at the receiver.
    let may_write = management.holds::<HooksWrite>();
    let shown = |secret: String| if may_write { secret } else { HIDDEN.to_owned() };
    let config = if may_write { hook.config.0 } else { without_secrets(hook.config.0) };
    Ok(HookView {
        signing_key: shown(key.text().to_owned()),
        signing_secret: shown(key.secret()),
        public_key: key.public_key(),
        tenant_id: Tenant,
        id: hook.id,
        name: hook.name,
        event: hook.single_event,
        events: hook.events.0,
        config,
        enabled: hook.enabled,
        disabled_reason: hook.disabled_reason,
        failing_since: hook.failing_since,
        paused: hook.paused,
        ordered: hook.ordered,
        max_concurrency: hook.max_in_flight,
        rate_limit: hook.rate_limit,
        created_at: hook.created_at,
        execution_stats: None,
    })
}
