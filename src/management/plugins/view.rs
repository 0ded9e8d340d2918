//! How a plugin and its versions are shown.

use super::last_hour::RecentPluginCalls;
use super::nodes;
use crate::views::IntoView;
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_api::plugins::{
    CacheView, DeploymentView, HttpView, PluginStatus as StatusView, PluginView, VersionView,
};
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::documents::plugin::LastHour;
use claimsmith_domain::management::PluginsWrite;
use claimsmith_runtime::Source;
use claimsmith_services::deployments;
use claimsmith_services::plugins::{Origin, PluginStatus};
use claimsmith_storage::Tx;
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::IntoResponses;

/// How a version of this plugin is shown.
pub(super) fn version_view(version: Version, plugin: &Plugin) -> VersionView {
    let kind = deployments::kind(&version);
    let mut facts = version.facts.0;
    if let Some(facts) = facts.as_object_mut() {
        facts.entry("instructions").or_insert(Value::Null);
    }
    VersionView {
        active: plugin.active_version == Some(version.id),
        id: version.id.to_string(),
        digest: version.digest,
        language: version.language,
        size: version.size,
        signed_by: version.signer,
        created_at: version.created_at,
        created_by: version.created_by,
        label: version.label,
        note: version.note,
        facts,
        exports: kind.into_iter().map(|kind| kind.export().to_owned()).collect(),
        http: version.http.map(|http| deployments::shown_http(http.0)),
    }
}

/// How an enum of the runtime is spelled in JSON.
pub(crate) fn spelled(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

impl IntoView<StatusView> for PluginStatus {
    fn into_view(self) -> StatusView {
        StatusView {
            name: self.name.to_string(),
            kind: self.kind.map(spelled),
            source: self.source,
            shadows_file: self.shadows_file,
            language: self.language.map(spelled),
            digest: self.digest.map(|digest| digest.to_string()),
            generation: self.generation,
            state: self.state,
            last_error: self.last_error,
            refuses_tokens: self.refuses_tokens,
            holds_deliveries: self.holds_deliveries,
            order: self.order,
            on_error: spelled(self.on_error),
            token_kinds: self.token_kinds.into_iter().map(spelled).collect(),
            enabled: self.enabled,
            grant_types: self.grant_types,
            applications: self.applications,
            resources: self.resources,
            events: self.events,
            hooks: self.hooks,
            environment: self.environment,
            secrets: self.secrets,
            size: self.size,
            world: self.world.map(str::to_owned),
            imports: self.imports,
            capabilities: serde_json::to_value(self.capabilities).unwrap_or_default(),
            limits: self.limits,
            signed_by: self.signed_by.map(|key| key.to_string()),
            signature_problem: self.signature_problem.map(|problem| problem.to_string()),
            statistics: self.statistics,
            last_hour: LastHour::default(),
            breaker: self.breaker,
        }
    }
}

/// Puts `********` in place of the values of a plugin's variables, if the caller may not write them.
pub(super) fn hide_variables(caller: &Caller, variables: &mut BTreeMap<String, String>) {
    if !caller.holds::<PluginsWrite>() {
        for value in variables.values_mut() {
            HIDDEN.clone_into(value);
        }
    }
}

/// A plugin of the folder.
pub(super) fn of_folder(management: &Caller, mut status: PluginStatus, recent: &RecentPluginCalls) -> PluginView {
    hide_variables(management, &mut status.environment);
    PluginView { status: with_calls(status, recent), deployment: None }
}

/// The status with the calls of the last hour.
fn with_calls(status: PluginStatus, recent: &RecentPluginCalls) -> StatusView {
    let last_hour = recent.of(&status.name, status.digest.as_deref());
    StatusView { last_hour, ..status.into_view() }
}

/// The versions of a plugin that its view is about.
pub(super) struct ShownVersions {
    /// The version whose declared servers are shown.
    pub(super) shown: Option<Version>,
    /// The number of the one before the active one.
    pub(super) previous: Option<i64>,
}

/// An uploaded plugin. One that this node has not loaded yet is marked as such.
pub(super) fn of_store(
    management: &Caller,
    status: Option<PluginStatus>,
    plugin: Plugin,
    versions: ShownVersions,
    recent: &RecentPluginCalls,
) -> PluginView {
    let mut status = status.unwrap_or_else(|| PluginStatus::pending(&plugin.name));
    hide_variables(management, &mut status.environment);
    PluginView {
        status: with_calls(status, recent),
        deployment: Some(DeploymentView {
            active_version: plugin.active_version.map(|id| id.to_string()),
            previous_version: versions.previous.map(|id| id.to_string()),
            latest_version: Some(plugin.last_version).filter(|id| *id > 0).map(|id| id.to_string()),
            http: HttpView {
                declared: versions.shown.and_then(|version| version.http).map(|http| deployments::shown_http(http.0)),
                granted: plugin.http_grant.map(|grant| deployments::shown_http(grant.0)),
            },
            cache: CacheView {
                declared: plugin.settings.0.pointer("/capabilities/cache").cloned(),
                granted: plugin.cache_grant.map(|grant| grant.0),
            },
            applied_by: plugin.applied_by,
            nodes: None,
            created_at: plugin.created_at,
            updated_at: plugin.updated_at,
        }),
    }
}

/// The plugin with that name, with its entity tag.
pub(super) async fn find(management: &Caller, name: &str) -> Result<Option<(PluginView, String)>, ApiError> {
    let mut tx = management.read().await?;
    let row = plugins::find(&mut tx, name).await?;
    let recent = RecentPluginCalls::load(&mut tx, &management.app, management.now()).await?;
    let status = management.app.plugins.list().into_iter().find(|status| &*status.name == name);
    Ok(match row {
        Some(row) => {
            let earlier = plugins::versions::before_active(&mut tx).await?;
            let previous = earlier.into_iter().find(|one| one.plugin_name == row.name).map(|one| one.id);
            let versions = ShownVersions { shown: shown_version(&mut tx, &row).await?, previous };
            let tag = entity_tag(&row);
            let nodes = nodes::serving(&mut tx, management, &row).await?;
            let mut view = of_store(management, status, row, versions, &recent);
            if let Some(deployment) = &mut view.deployment {
                deployment.nodes = Some(nodes);
            }
            Some((view, tag))
        }
        None => status.filter(|status| status.source == Origin::Folder).map(|status| {
            let tag = folder_tag(&status);
            (of_folder(management, status, &recent), tag)
        }),
    })
}

/// The version whose declared servers are shown.
async fn shown_version(tx: &mut Tx, plugin: &Plugin) -> Result<Option<Version>, ApiError> {
    let id = plugin.active_version.unwrap_or(plugin.last_version);
    Ok(plugins::versions::find(tx, &plugin.name, id).await?)
}

/// A plugin, with its revision.
#[derive(IntoResponses)]
#[response(status = 200, description = "The plugin", headers(("ETag" = String, description = "Its revision, for `If-Match`")))]
#[expect(dead_code, reason = "for the OpenAPI description")]
pub(super) struct ShownPlugin(PluginView);

/// The entity tag of an uploaded plugin (RFC 9110 section 8.8.3).
#[must_use]
pub(super) fn entity_tag(plugin: &Plugin) -> String {
    format!("\"{}\"", plugin.revision)
}

/// The entity tag of a plugin of the folder.
#[must_use]
pub(super) fn folder_tag(status: &PluginStatus) -> String {
    format!("\"{}\"", status.digest.as_deref().unwrap_or("none"))
}

/// The entity tag of a file of the folder, whether it is active or not.
#[must_use]
pub(super) fn file_tag(source: &Source) -> String {
    format!("\"{}\"", source.digest())
}

/// A response with an entity tag.
pub(super) fn tagged(status: StatusCode, tag: &str, body: impl Serialize) -> Response {
    (status, [(header::ETAG, tag.to_owned())], Json(body)).into_response()
}
