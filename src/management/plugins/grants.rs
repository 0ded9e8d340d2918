//! `/api/plugins/{name}/grants`: the servers that an operator allows an uploaded plugin to send requests to, and what it
//! may keep between its calls. Each needs both the declaration in the plugin and the grant.

use super::change::{IfMatch, PluginChange, finish, publish};
use super::view::ShownPlugin;
use crate::refusals::{AccessRefused, BodyRefused, NotChanged, NotThere};
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::PluginsGrant;
use claimsmith_runtime::{CacheCapability, HttpCapability};
use claimsmith_services::deployments::{self, change};
use claimsmith_storage::Json;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Value, json};

/// Grants a plugin what it may reach by HTTP, replacing what was granted before.
#[utoipa::path(
    put, path = "/api/plugins/{name}/grants/http", tag = "Plugins",
    description = "Members: `hosts` (such as `api.example.com` or `*.example.com:8443`), `methods` (default `GET`), \
                   per call at most `calls`, `kib` and `ms`, and `plain` for http beside https (default false).",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    request_body(
        content = Object,
        example = json!({ "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }),
    ),
    responses(
        ShownPlugin,
        BodyRefused, AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn grant_http(
    management: Management<PluginsGrant>,
    Id(name): Id,
    seen: IfMatch,
    JsonBody(grant): JsonBody<HttpCapability>,
) -> Result<Response, ApiError> {
    grant.check_grant().map_err(invalid)?;
    let grant = deployments::stored_http(&grant)?;
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    plugin.http_grant = Some(Json(grant.clone()));
    change::save(&mut tx, &mut plugin, management.now()).await?;
    let granted = deployments::shown_http(grant);
    tx.audit(AuditKey::ManagementPluginGrant, json!({ "plugin": name, "http": granted })).await?;
    finish(&management, tx, &name).await
}

/// Takes back what a plugin may reach by HTTP.
#[utoipa::path(
    delete, path = "/api/plugins/{name}/grants/http", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    responses(
        (status = 204, description = "It may reach nothing"),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn withdraw_http(
    management: Management<PluginsGrant>,
    Id(name): Id,
    seen: IfMatch,
) -> Result<StatusCode, ApiError> {
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    plugin.http_grant = None;
    change::save(&mut tx, &mut plugin, management.now()).await?;
    tx.audit(AuditKey::ManagementPluginGrant, json!({ "plugin": name, "http": Value::Null })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Grants a plugin what it may keep between its calls, replacing what was granted before.
#[utoipa::path(
    put, path = "/api/plugins/{name}/grants/cache", tag = "Plugins",
    description = "Members: on each node at most `entries` and `kib`, and `everybody` for entries that the calls of all \
                   users and applications share (default false).",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    request_body(content = Object, example = json!({ "entries": 1000, "kib": 1024, "everybody": false })),
    responses(
        ShownPlugin,
        BodyRefused, AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn grant_cache(
    management: Management<PluginsGrant>,
    Id(name): Id,
    seen: IfMatch,
    JsonBody(grant): JsonBody<CacheCapability>,
) -> Result<Response, ApiError> {
    grant.check().map_err(invalid)?;
    let grant = serde_json::to_value(grant)?;
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    plugin.cache_grant = Some(Json(grant.clone()));
    change::save(&mut tx, &mut plugin, management.now()).await?;
    tx.audit(AuditKey::ManagementPluginGrant, json!({ "plugin": name, "cache": grant })).await?;
    finish(&management, tx, &name).await
}

/// Takes back what a plugin may keep between its calls.
#[utoipa::path(
    delete, path = "/api/plugins/{name}/grants/cache", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    responses(
        (status = 204, description = "It may keep nothing"),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn withdraw_cache(
    management: Management<PluginsGrant>,
    Id(name): Id,
    seen: IfMatch,
) -> Result<StatusCode, ApiError> {
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    plugin.cache_grant = None;
    change::save(&mut tx, &mut plugin, management.now()).await?;
    tx.audit(AuditKey::ManagementPluginGrant, json!({ "plugin": name, "cache": Value::Null })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn invalid((key, problem): (String, String)) -> ApiError {
    ApiError::invalid_input("body", format!("Error in key path \"{key}\": {problem}"))
}
