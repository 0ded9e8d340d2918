//! `/api/plugins/{name}/versions`: the uploaded versions, newest first, and activation. Activating an older version is
//! the rollback; settings, secrets and grants do not change.

use super::breaker::follow_breakers;
use super::candidate::fits;
use super::change::{ChangeScope, IfMatch, PluginChange, demand_second_person, publish, rollout_running};
use super::cost;
use super::signature::check_stored;
use super::source::settings_text;
use super::view::{self, tagged, version_view};
use crate::refusals::{AccessRefused, NotAccepted, NotChanged, NotThere};
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_api::plugins::{DeployedPlugin, VersionView, VersionWithSource};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{PluginsRead, PluginsWrite, Recent};
use claimsmith_services::deployments::{self, change};
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;

/// Lists the versions of a plugin, newest first.
///
/// The last 50 are kept.
#[utoipa::path(
    get, path = "/api/plugins/{name}/versions", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        (status = 200, description = "The versions", body = Vec<VersionView>),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn list_versions(
    management: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Json<Vec<VersionView>>, ApiError> {
    let mut tx = management.read().await?;
    let plugin = plugins::find(&mut tx, &name).await?.ok_or_else(|| ApiError::not_found("plugin", &name))?;
    let versions = plugins::versions::list(&mut tx, &name).await?;
    Ok(Json(versions.into_iter().map(|version| version_view(version, &plugin)).collect()))
}

/// Shows a version with its source; with `Accept: application/wasm` or `text/*`, the source alone.
#[utoipa::path(
    get, path = "/api/plugins/{name}/versions/{id}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The version")),
    responses(
        (status = 200, description = "The version", body = VersionWithSource),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn show_version(
    management: Management<PluginsRead>,
    IdPair(name, id): IdPair,
    headers: axum::http::HeaderMap,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let (plugin, version) = find(&mut tx, &name, &id).await?;
    let source = plugins::versions::source(&mut tx, &name, version.id).await?;
    let source = source.ok_or_else(|| no_version(&name, &id))?;
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    if accept.starts_with("application/wasm") || accept.starts_with("text/") {
        let kind = if version.language == "wasm" { "application/wasm" } else { "text/plain; charset=utf-8" };
        return Ok(([(header::CONTENT_TYPE, kind)], source).into_response());
    }
    let source = if version.language == "wasm" { None } else { String::from_utf8(source).ok() };
    let (cases, settings) = (version.cases.clone(), settings_text(&management, &plugin, &version)?);
    let active = match plugin.active_version.filter(|active| *active != version.id) {
        Some(active) => plugins::versions::find(&mut tx, &name, active).await?,
        None => None,
    };
    let warnings = active.and_then(|active| cost::warning_of(&version, &active)).into_iter().collect();
    let version = version_view(version, &plugin);
    Ok(Json(VersionWithSource { version, source, settings, cases, warnings }).into_response())
}

/// Puts a version into service: on this node when the answer comes, on all others within moments.
#[utoipa::path(
    post, path = "/api/plugins/{name}/versions/{id}/activate", tag = "Plugins",
    description = "Activating an older version is the rollback. Settings, secrets and grants stay as they are.",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The version"), IfMatch),
    responses(
        (status = 200, description = "It serves", body = DeployedPlugin, headers(("ETag" = String, description = "Its revision, for `If-Match`"))),
        AccessRefused, NotThere, NotChanged, NotAccepted,
    ),
)]
pub(super) async fn activate_version(
    management: Management<Recent<PluginsWrite>>,
    IdPair(name, id): IdPair,
    seen: IfMatch,
) -> Result<Response, ApiError> {
    // Before the transaction: a version never changes, and verifying may read much.
    check_stored(&management, &name, &id).await?;
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    let (_, version) = find(&mut tx, &name, &id).await?;
    demand_second_person(&management, &version.created_by)?;
    if let Some(kind) = deployments::kind(&version) {
        fits(&plugin, kind)?;
    }
    let before = plugin.active_version.replace(version.id);
    change::save(&mut tx, &mut plugin, management.now()).await?;
    let details = json!({
        "plugin": name, "version": version.id.to_string(), "before": before.map(|id| id.to_string()),
        "digest": version.digest, "signedBy": version.signer,
    });
    tx.audit(AuditKey::ManagementPluginActivate, details).await?;
    let closed = deployments::close_version(&mut tx, &name, &version.digest).await?;
    if closed > 0 {
        tx.audit(AuditKey::ManagementPluginCloseBreaker, json!({ "plugin": name, "closed": closed })).await?;
    }
    publish(&management, tx).await?;
    if closed > 0 {
        follow_breakers(&management).await;
    }
    deployed(&management, StatusCode::OK, (version, Vec::new()), &plugin).await
}

/// Deletes a version that does not serve.
#[utoipa::path(
    delete, path = "/api/plugins/{name}/versions/{id}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The version"), IfMatch),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn delete_version(
    management: Management<PluginsWrite>,
    IdPair(name, id): IdPair,
    seen: IfMatch,
) -> Result<StatusCode, ApiError> {
    let (mut tx, mut plugin) = PluginChange::begin_existing_of(&management, &name, &seen, ChangeScope::Rollout).await?;
    let (_, version) = find(&mut tx, &name, &id).await?;
    if deployments::rollouts::open(&mut tx, &name).await?.is_some_and(|rollout| rollout.version == version.id) {
        return Err(rollout_running(&name));
    }
    if plugin.active_version == Some(version.id) {
        let message = "The active version cannot be deleted: activate another one first, or delete the plugin.";
        return Err(ApiError::new(ApiCode::PluginVersionActive, message));
    }
    plugins::versions::delete(&mut tx, &name, version.id).await?;
    change::save(&mut tx, &mut plugin, management.now()).await?;
    let details = json!({ "plugin": name, "version": id, "digest": version.digest });
    tx.audit(AuditKey::ManagementPluginDeleteVersion, details).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shows a plugin beside the version that was uploaded or activated.
pub(super) async fn deployed(
    management: &Caller,
    status: StatusCode,
    (version, warnings): (Version, Vec<String>),
    plugin: &Plugin,
) -> Result<Response, ApiError> {
    let version = version_view(version, plugin);
    let found = view::find(management, &plugin.name).await?;
    let (plugin, tag) = found.ok_or_else(|| ApiError::not_found("plugin", &plugin.name))?;
    Ok(tagged(status, &tag, DeployedPlugin { plugin, version, warnings }))
}

/// A version with its plugin; 404 if it does not exist.
pub(super) async fn find(tx: &mut Tx, name: &str, id: &str) -> Result<(Plugin, Version), ApiError> {
    let plugin = plugins::find(tx, name).await?.ok_or_else(|| ApiError::not_found("plugin", name))?;
    let version: storage::Result<Option<Version>> = match id.parse::<i64>() {
        Ok(number) => plugins::versions::find(tx, name, number).await,
        Err(_) => Ok(None),
    };
    Ok((plugin, version?.ok_or_else(|| no_version(name, id))?))
}

fn no_version(name: &str, id: &str) -> ApiError {
    ApiError::not_found(&format!("version of plugin {name:?}"), id)
}
