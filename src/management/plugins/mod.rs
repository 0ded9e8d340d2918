//! `/api/plugins`: the routes, and the operations on plugins as a whole.

mod breaker;
mod candidate;
mod change;
mod check;
mod cost;
mod customizer;
mod draft;
mod examples;
mod grants;
pub(crate) mod last_hour;
mod logs;
mod nodes;
mod population_runs;
mod recordings;
mod refusal;
mod reserved;
mod rollout_candidate;
mod rollout_cases;
mod rollout_views;
mod rollouts;
mod secrets;
mod signature;
mod source;
mod trial;
mod trial_input;
mod upload;
mod upload_body;
mod upload_label;
mod versions;
mod view;

pub use self::examples::default_files;

use self::change::{ChangeScope, IfMatch, PluginChange, finish, publish, rollout_running};
use self::last_hour::RecentPluginCalls;
pub(crate) use self::view::spelled;
use self::view::{ShownPlugin, ShownVersions, tagged};
use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused, NotChanged, NotThere};
use axum::Json;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::plugins::PluginView;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::management::{PluginsRead, PluginsWrite, RecentIfAsked};
use claimsmith_json::present;
use claimsmith_runtime::{BreakerSettings, LimitSettings, Manifest, OnError, OnOpen, TokenKind};
use claimsmith_services::app::App;
use claimsmith_services::deployments;
use claimsmith_services::deployments::rollouts::{self as changes, RolloutEnd};
use claimsmith_services::plugins::Origin;
use claimsmith_storage::plugins;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family, except for those that compile.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_plugins))
        .routes(routes!(self::show_plugin, self::update_plugin, self::delete_plugin))
        .routes(routes!(versions::list_versions))
        .routes(routes!(versions::show_version, versions::delete_version))
        .routes(routes!(versions::activate_version))
        .routes(routes!(breaker::close_breaker))
        .routes(routes!(grants::grant_http, grants::withdraw_http))
        .routes(routes!(grants::grant_cache, grants::withdraw_cache))
        .routes(routes!(logs::list_plugin_logs))
        .routes(routes!(population_runs::list_population_runs))
        .routes(routes!(population_runs::show_population_run, population_runs::delete_population_run))
        .routes(routes!(population_runs::list_population_differences))
        .routes(routes!(population_runs::cancel_population_run))
        .routes(routes!(recordings::start_recording, recordings::list_recordings))
        .routes(routes!(recordings::show_recording, recordings::delete_recording))
        .routes(routes!(recordings::list_samples))
        .routes(routes!(recordings::stop_recording))
        .routes(routes!(source::show_plugin_source))
        .routes(routes!(examples::list_plugin_examples))
        .routes(routes!(examples::list_plugin_templates))
        .routes(routes!(examples::show_plugin_types))
        .routes(routes!(examples::show_plugin_example))
        .routes(routes!(rollouts::show_rollout, rollouts::update_rollout))
        .routes(routes!(rollouts::promote_rollout))
        .routes(routes!(rollouts::abort_rollout))
        .routes(routes!(rollouts::list_rollout_samples))
        .routes(routes!(secrets::list_secrets))
        .routes(routes!(secrets::put_secret, secrets::delete_secret))
        .route(reserved::PATH, reserved::methods())
}

/// Uploads and tests, which may take as long as a compilation.
pub fn upload_router() -> OpenApiRouter<App> {
    // Bodies have their own limits; that of an upload is configured.
    OpenApiRouter::new()
        .routes(routes!(upload::upload_plugin))
        .routes(routes!(population_runs::start_population_run))
        .routes(routes!(rollouts::start_rollout))
        .routes(routes!(trial::test_plugin))
        .routes(routes!(trial::test_draft))
        .routes(routes!(check::check_draft))
        .routes(routes!(customizer::list_customizers))
        .routes(routes!(customizer::test_customizer))
        .routes(routes!(
            customizer::show_customizer,
            customizer::put_customizer,
            customizer::patch_customizer,
            customizer::delete_customizer
        ))
        .layer(DefaultBodyLimit::disable())
}

/// Lists all plugins, those of the folder and those that were uploaded, in the order in which they run.
#[utoipa::path(
    get, path = "/api/plugins", tag = "Plugins",
    responses((status = 200, description = "The plugins", body = Vec<PluginView>), AccessRefused),
)]
pub(super) async fn list_plugins(management: Management<PluginsRead>) -> Result<Json<Vec<PluginView>>, ApiError> {
    let mut tx = management.read().await?;
    let rows = plugins::all(&mut tx).await?;
    let active = plugins::versions::active(&mut tx).await?;
    let mut versions: BTreeMap<_, _> = active.into_iter().map(|v| (v.plugin_name.clone(), v)).collect();
    let mut rows: BTreeMap<_, _> = rows.into_iter().map(|row| (row.name.clone(), row)).collect();
    let earlier = plugins::versions::before_active(&mut tx).await?;
    let earlier: BTreeMap<_, _> = earlier.into_iter().map(|one| (one.plugin_name, one.id)).collect();
    let recent = RecentPluginCalls::load(&mut tx, &management.app, management.now()).await?;
    let mut views = Vec::new();
    for status in management.app.plugins.list() {
        let version = versions.remove(&*status.name);
        let previous = earlier.get(&*status.name).copied();
        match rows.remove(&*status.name) {
            Some(row) => {
                let versions = ShownVersions { shown: version, previous };
                views.push(view::of_store(&management, Some(status), row, versions, &recent));
            }
            None if status.source == Origin::Folder => {
                views.push(view::of_folder(&management, status, &recent));
            }
            // Deleted meanwhile.
            None => {}
        }
    }
    // Uploaded meanwhile on another node.
    let pending = |row: plugins::Plugin| {
        let versions = ShownVersions { shown: None, previous: earlier.get(&row.name).copied() };
        view::of_store(&management, None, row, versions, &recent)
    };
    views.extend(rows.into_values().map(pending));
    Ok(Json(views))
}

/// Shows a plugin.
///
/// Its `ETag` is what `If-Match` of a change is held against.
#[utoipa::path(
    get, path = "/api/plugins/{name}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        ShownPlugin,
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn show_plugin(management: Management<PluginsRead>, Id(name): Id) -> Result<Response, ApiError> {
    let found = view::find(&management, &name).await?;
    let (plugin, tag) = found.ok_or_else(|| ApiError::not_found("plugin", &name))?;
    Ok(tagged(StatusCode::OK, &tag, plugin))
}

/// Deletes an uploaded plugin with its versions and secrets.
///
/// Tokens are issued without it from then on.
#[utoipa::path(
    delete, path = "/api/plugins/{name}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn delete_plugin(
    management: Management<PluginsWrite>,
    Id(name): Id,
    seen: IfMatch,
) -> Result<StatusCode, ApiError> {
    let PluginChange { mut tx, .. } = PluginChange::begin(&management, &name, &seen).await?;
    if !plugins::delete(&mut tx, &name).await? {
        return Err(ApiError::nothing_to_delete("plugin", &name));
    }
    tx.audit(AuditKey::ManagementPluginDelete, json!({ "plugin": name })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::option_option, reason = "left out, null and a value are three things")]
#[schema(example = json!({
    "order": 10, "onError": "skip", "tokenKinds": ["access-token"], "applications": null,
    "limits": { "deadlineMs": 200 }, "environment": { "REGION": "eu" }
}))]
pub(super) struct UpdatePlugin {
    /// Plugins run in ascending order.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i32, required = false)]
    order: Option<i32>,
    /// Whether it runs at all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
    /// What its failure means: `deny` or `skip` of a claims plugin, `retry`, `original` or `drop` of a webhook
    /// transform.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, example = "deny")]
    on_error: Option<OnError>,
    /// The tokens that it is asked about.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false)]
    token_kinds: Option<Vec<TokenKind>>,
    /// The grant types that it is asked about; null means all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>)]
    grant_types: Option<Option<Vec<String>>>,
    /// The client ids that it is asked about; null means all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>)]
    applications: Option<Option<Vec<String>>>,
    /// The resource indicators that it is asked about; null means all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>)]
    resources: Option<Option<Vec<String>>>,
    /// The events that a webhook transform is asked about: names, families such as `User.*`, or `*`; null means all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>)]
    events: Option<Option<Vec<String>>>,
    /// The ids or names of the hooks whose deliveries it is asked about; null means all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>)]
    hooks: Option<Option<Vec<String>>>,
    /// What is left out of it stays.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = UpdateLimits, required = false)]
    limits: Option<UpdateLimits>,
    /// What is left out of it stays.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = UpdateBreaker, required = false)]
    breaker: Option<UpdateBreaker>,
    /// Replaced as a whole.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    environment: Option<BTreeMap<String, String>>,
}

/// What one call may use; null leaves it to the server.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateLimits {
    /// Wall-clock milliseconds.
    deadline_ms: Option<u32>,
    /// MiB of linear memory.
    memory_mib: Option<u32>,
    /// KiB of the JSON answer.
    output_kib: Option<u32>,
    /// Instructions of one golden case, unless the case names others; checked at an upload, and not in production.
    instructions: Option<u64>,
}

/// When it is no longer called because it keeps failing; null is the default.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateBreaker {
    /// Whether there is a circuit breaker. Default true.
    enabled: Option<bool>,
    /// Failures within the window that open it, at most 10000. Default 20.
    failures: Option<u32>,
    /// Seconds of the window, at most 3600. Default 60.
    window: Option<u32>,
    /// What answers while it is open: `on_error`, or `previous version` if that passes the golden cases of the active one.
    #[schema(value_type = Option<String>, example = "previous version")]
    on_open: Option<OnOpen>,
}

impl Patch for UpdatePlugin {
    const MERGED: &'static Merged = &patch::PLUGIN;
}

impl UpdatePlugin {
    fn apply(self, manifest: &mut Manifest) {
        fn set<T>(place: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *place = value;
            }
        }
        set(&mut manifest.order, self.order);
        set(&mut manifest.enabled, self.enabled);
        set(&mut manifest.on_error, self.on_error.map(Some));
        set(&mut manifest.token_kinds, self.token_kinds.map(Some));
        set(&mut manifest.grant_types, self.grant_types);
        set(&mut manifest.applications, self.applications);
        set(&mut manifest.resources, self.resources);
        set(&mut manifest.events, self.events);
        set(&mut manifest.hooks, self.hooks);
        set(&mut manifest.environment, self.environment);
        if let Some(UpdateLimits { deadline_ms, memory_mib, output_kib, instructions }) = self.limits {
            manifest.limits = LimitSettings { deadline_ms, memory_mib, output_kib, instructions };
        }
        if let Some(UpdateBreaker { enabled, failures, window, on_open }) = self.breaker {
            manifest.breaker = BreakerSettings { enabled: enabled.unwrap_or(true), failures, window, on_open };
        }
    }
}

/// Changes how a plugin takes part.
///
/// All of it takes effect at once, for whole requests.
#[utoipa::path(
    patch, path = "/api/plugins/{name}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), IfMatch),
    request_body = UpdatePlugin,
    responses(
        ShownPlugin,
        BodyRefused, AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn update_plugin(
    management: Management<RecentIfAsked<PluginsWrite>>,
    Id(name): Id,
    seen: IfMatch,
    body: PatchBody<UpdatePlugin>,
) -> Result<Response, ApiError> {
    let (mut tx, mut plugin) = PluginChange::begin_existing_of(&management, &name, &seen, ChangeScope::Rollout).await?;
    let mut manifest = deployments::change::settings(&plugin)?;
    let LimitSettings { deadline_ms, memory_mib, output_kib, instructions } = manifest.limits;
    let limits = json!({
        "deadlineMs": deadline_ms, "memoryMib": memory_mib, "outputKib": output_kib, "instructions": instructions,
    });
    let BreakerSettings { enabled, failures, window, on_open } = manifest.breaker;
    let breaker = json!({ "enabled": enabled, "failures": failures, "window": window, "onOpen": on_open });
    body.over(&json!({ "limits": limits, "breaker": breaker }))?.apply(&mut manifest);
    if deployments::change::starts_serving(&plugin, &manifest) {
        management.demand_recent()?;
    }
    manifest.validate("body").map_err(|error| ApiError::invalid_input("body", error.to_string()))?;
    let id = plugin.active_version.unwrap_or(plugin.last_version);
    let version = plugins::versions::find(&mut tx, &name, id).await?;
    if let Some(kind) = version.as_ref().and_then(deployments::kind) {
        manifest.validate_for(kind, "body").map_err(|error| ApiError::invalid_input("body", error.to_string()))?;
    }
    let secrets = plugins::secrets::list(&mut tx, &name).await?;
    if let Some(secret) = secrets.iter().find(|secret| manifest.environment.contains_key(&secret.name)) {
        let details = format!("Error in key path \"environment.{}\": a secret has this name", secret.name);
        return Err(ApiError::invalid_input("body", details));
    }
    deployments::change::set_settings(&mut plugin, &manifest)?;
    match changes::open(&mut tx, &name).await? {
        Some(_) if manifest.enabled => return Err(rollout_running(&name)),
        // Disabling the plugin ends the rollout.
        Some(mut rollout) => {
            let end = RolloutEnd { by: Some(management.id()), reason: changes::DISABLED, now: management.now() };
            changes::abort(&mut tx, &mut plugin, &mut rollout, end).await?;
            let details = json!({ "plugin": name, "version": rollout.version.to_string(), "reason": end.reason });
            tx.audit(AuditKey::ManagementPluginAbortRollout, details).await?;
        }
        None => deployments::change::save(&mut tx, &mut plugin, management.now()).await?,
    }
    // Readers of the log may not be allowed to see the values of variables.
    for value in manifest.environment.values_mut() {
        HIDDEN.clone_into(value);
    }
    let details = json!({ "plugin": name, "settings": manifest });
    tx.audit(AuditKey::ManagementPluginUpdate, details).await?;
    finish(&management, tx, &name).await
}
