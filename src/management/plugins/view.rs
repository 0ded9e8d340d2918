//! How a plugin and its versions are shown.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::management::PluginsWrite;
use claimsmith_runtime::{Kind, Source};
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

/// A plugin as it stands on this node, and for an uploaded one what the database says of it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "name": "impersonation", "kind": "claims", "source": "store", "shadowsFile": false, "language": "javascript",
    "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "generation": 3,
    "state": "active", "lastError": null, "refusesTokens": false, "holdsDeliveries": false, "order": 10, "onError": "deny",
    "tokenKinds": ["access-token"], "enabled": true, "grantTypes": null, "applications": null, "resources": null,
    "events": null, "hooks": null,
    "environment": { "REGION": "eu" }, "secrets": ["API_KEY"], "size": 1432, "world": "claimsmith:plugin/claims",
    "imports": ["claimsmith:plugin/log"],
    "capabilities": {
        "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
    },
    "limits": { "deadlineMs": 200, "memoryMib": 32, "outputKib": 16 },
    "statistics": { "calls": 120, "denied": 2, "failed": 0, "meanMs": 0.8, "maxMs": 4.1, "p50Us": 760, "p99Us": 3900 },
    "deployment": {
        "activeVersion": "2", "latestVersion": "2",
        "http": {
            "declared": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 },
            "granted": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
        },
        "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_003_600_000_i64
    }
}))]
pub(super) struct PluginView {
    #[serde(flatten)]
    status: PluginStatus,
    /// Null for a plugin of the folder.
    deployment: Option<DeploymentView>,
}

/// What the database says of an uploaded plugin.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeploymentView {
    /// The version that serves; null when none was activated.
    active_version: Option<String>,
    /// The newest version.
    latest_version: Option<String>,
    /// What it may reach by HTTP.
    http: HttpView,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    updated_at: i64,
}

/// What a plugin may reach by HTTP: what it declares and was granted.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct HttpView {
    /// What its active version asks for, or its newest one where none is active.
    #[schema(value_type = Option<Object>)]
    declared: Option<Value>,
    /// What an operator granted.
    #[schema(value_type = Option<Object>)]
    granted: Option<Value>,
}

/// A version of an uploaded plugin.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "2", "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "language": "javascript", "size": 1432, "active": true, "createdAt": 1_760_003_600_000_i64,
    "createdBy": "b5n8q1w4z7k0x3c6t9r2m", "kind": "claims", "world": "claimsmith:plugin/claims",
    "imports": ["claimsmith:plugin/log"], "exports": ["get-custom-jwt-claims"],
    "instructions": { "total": 48_211, "cases": [{ "name": "gold", "instructions": 48_211 }] },
    "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
}))]
pub(super) struct VersionView {
    /// `1` for a plugin's first version.
    id: String,
    /// `sha256:…` of the source.
    digest: String,
    /// `javascript`, `typescript` or `wasm`.
    language: String,
    /// Bytes of the source.
    size: i64,
    /// Whether it is the one that serves.
    active: bool,
    /// Unix milliseconds.
    created_at: i64,
    /// The principal that uploaded it.
    created_by: String,
    /// Kind, world, imports, and the instructions of its golden cases (null when they were not counted).
    #[serde(flatten)]
    #[schema(value_type = Object)]
    facts: Value,
    /// The functions that it exports.
    exports: Vec<&'static str>,
    /// What it asks to reach by HTTP.
    #[schema(value_type = Option<Object>)]
    http: Option<Value>,
}

/// A plugin, beside the version that a request was about.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "plugin": {
        "name": "impersonation", "kind": "claims", "source": "store", "shadowsFile": false, "language": "javascript",
        "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "generation": 3,
        "state": "active", "lastError": null, "refusesTokens": false, "holdsDeliveries": false, "order": 10, "onError": "deny",
        "tokenKinds": ["access-token"], "enabled": true, "grantTypes": null, "applications": null, "resources": null,
    "events": null, "hooks": null,
        "environment": { "REGION": "eu" }, "secrets": ["API_KEY"], "size": 1432, "world": "claimsmith:plugin/claims",
        "imports": ["claimsmith:plugin/log"],
        "capabilities": {
            "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
        },
        "limits": { "deadlineMs": 200, "memoryMib": 32, "outputKib": 16 },
        "statistics": { "calls": 120, "denied": 2, "failed": 0, "meanMs": 0.8, "maxMs": 4.1, "p50Us": 760, "p99Us": 3900 },
        "deployment": {
            "activeVersion": "2", "latestVersion": "2",
            "http": {
                "declared": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 },
                "granted": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
            },
            "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_003_600_000_i64
        }
    },
    "version": {
        "id": "2", "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "language": "javascript", "size": 1432, "active": true, "createdAt": 1_760_003_600_000_i64,
        "createdBy": "b5n8q1w4z7k0x3c6t9r2m", "kind": "claims", "world": "claimsmith:plugin/claims",
        "imports": ["claimsmith:plugin/log"],
        "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
    }
}))]
pub(super) struct DeployedPlugin {
    /// The plugin.
    pub(super) plugin: PluginView,
    /// The version.
    pub(super) version: VersionView,
}

impl VersionView {
    /// A version of this plugin.
    #[must_use]
    pub(super) fn new(version: Version, plugin: &Plugin) -> Self {
        let kind = deployments::kind(&version);
        let mut facts = version.facts.0;
        if let Some(facts) = facts.as_object_mut() {
            facts.entry("instructions").or_insert(Value::Null);
        }
        Self {
            active: plugin.active_version == Some(version.id),
            id: version.id.to_string(),
            digest: version.digest,
            language: version.language,
            size: version.size,
            created_at: version.created_at,
            created_by: version.created_by,
            facts,
            exports: kind.into_iter().map(Kind::export).collect(),
            http: version.http.map(|http| http.0),
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

impl PluginView {
    /// A plugin of the folder.
    #[must_use]
    pub(super) fn of_folder(management: &Caller, mut status: PluginStatus) -> Self {
        hide_variables(management, &mut status.environment);
        Self { status, deployment: None }
    }

    /// An uploaded plugin. One that this node has not loaded yet is marked as such.
    #[must_use]
    pub(super) fn of_store(
        management: &Caller,
        status: Option<PluginStatus>,
        plugin: Plugin,
        latest: Option<Version>,
    ) -> Self {
        let mut status = status.unwrap_or_else(|| PluginStatus::pending(&plugin.name));
        hide_variables(management, &mut status.environment);
        Self {
            status,
            deployment: Some(DeploymentView {
                active_version: plugin.active_version.map(|id| id.to_string()),
                latest_version: Some(plugin.last_version).filter(|id| *id > 0).map(|id| id.to_string()),
                http: HttpView {
                    declared: latest.and_then(|version| version.http).map(|http| http.0),
                    granted: plugin.http_grant.map(|grant| grant.0),
                },
                created_at: plugin.created_at,
                updated_at: plugin.updated_at,
            }),
        }
    }

    /// The plugin with that name, with its entity tag.
    pub(super) async fn find(management: &Caller, name: &str) -> Result<Option<(Self, String)>, ApiError> {
        let mut tx = management.read().await?;
        let row = plugins::find(&mut tx, name).await?;
        let status = management.app.plugins.list().into_iter().find(|status| &*status.name == name);
        Ok(match row {
            Some(row) => {
                let version = shown_version(&mut tx, &row).await?;
                let tag = entity_tag(&row);
                Some((Self::of_store(management, status, row, version), tag))
            }
            None => status.filter(|status| status.source == Origin::Folder).map(|status| {
                let tag = folder_tag(&status);
                (Self::of_folder(management, status), tag)
            }),
        })
    }
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
