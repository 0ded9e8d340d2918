//! Bodies of `/api/plugins`: plugins with their versions, secrets and logs. Those of drafts and trials are with their
//! operations.

use claimsmith_domain::documents::plugin::{Breaker, LastHour, Origin, State, Statistics, StatusLimits};
use claimsmith_domain::documents::text::Text;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A plugin as it stands on this node, and for an uploaded one what the database says of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    "statistics": { "calls": 120, "denied": 2, "failed": 0, "meanMs": 0.8, "maxMs": 4.1, "p50Us": 760, "p99Us": 3900,
        "cache": { "hits": 80, "misses": 40, "writes": 40, "evicted": 0, "refused": 0 } },
    "signedBy": "release", "signatureProblem": null,
    "lastHour": {
        "calls": 12, "denied": 2, "failed": 0, "isFailing": false, "lastOutcome": "denied",
        "lastError": "Name the ticket.", "lastRequestId": "0192b7c4-6a1e-7d3f-8b52-4c9e1f7a2d60"
    },
    "breaker": {
        "state": "closed", "isForEverybody": false, "onlyFor": [], "users": 0, "since": null, "outcome": null,
        "reason": null, "nextProbeAt": null, "previousVersionAnswers": false, "previousVersionProblem": null
    },
    "deployment": {
        "activeVersion": "2", "previousVersion": "1", "latestVersion": "2",
        "http": {
            "declared": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 },
            "granted": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
        },
        "cache": { "declared": { "entries": 1000, "kib": 1024, "everybody": false }, "granted": null },
        "appliedBy": "production", "nodes": { "serving": 2, "all": 2, "missing": [] },
        "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_003_600_000_i64
    }
}))]
pub struct PluginView {
    #[serde(flatten)]
    pub status: PluginStatus,
    /// Null for a plugin of the folder.
    pub deployment: Option<DeploymentView>,
}

/// One plugin as it stands.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the answer")]
pub struct PluginStatus {
    /// Its file's name without the ending.
    pub name: String,
    /// What it is for; unknown until it loaded.
    #[schema(example = "claims")]
    pub kind: Option<String>,
    /// Where it comes from.
    pub source: Origin,
    /// Whether it is an upload that has taken over from a file of the folder.
    pub shadows_file: bool,
    /// `javascript`, `typescript` or `wasm`; null when no version serves.
    pub language: Option<String>,
    /// `sha256:…` of the source of the version that serves.
    pub digest: Option<String>,
    /// The generation of the swap that put this version, with its settings, into service.
    pub generation: Option<u64>,
    /// Whether it serves.
    pub state: State,
    /// Why the newest version was refused, if it was. An active plugin then serves in its last good version.
    pub last_error: Option<String>,
    /// Whether tokens that it applies to are refused, because it is mandatory and never loaded.
    pub refuses_tokens: bool,
    /// Whether deliveries that it applies to wait, or are dropped, because it is mandatory and never loaded.
    pub holds_deliveries: bool,
    /// Its place among the others.
    pub order: i32,
    /// What its failure means: for a token `deny` or `skip`, for a webhook delivery `retry`, `original` or `drop`, for a
    /// message `retry`.
    #[schema(example = "deny")]
    pub on_error: String,
    /// The tokens that it is asked about; none for a webhook transform or a message plugin.
    pub token_kinds: Vec<String>,
    /// Whether it is to run at all.
    pub enabled: bool,
    /// The grant types that it is asked about; null means all.
    pub grant_types: Option<Vec<String>>,
    /// The client ids that it is asked about; null means all.
    pub applications: Option<Vec<String>>,
    /// The resource indicators that it is asked about; null means all.
    pub resources: Option<Vec<String>>,
    /// The events that a webhook transform is asked about; null means all.
    pub events: Option<Vec<String>>,
    /// The ids or names of the hooks whose deliveries it is asked about; null means all.
    pub hooks: Option<Vec<String>>,
    /// Its variables, without secrets; the values are `********` for a caller without `plugins:write`.
    pub environment: BTreeMap<String, String>,
    /// The names of its secrets.
    pub secrets: Vec<String>,
    /// Bytes of the source of the version that serves.
    pub size: Option<usize>,
    /// The world that it was made for.
    pub world: Option<String>,
    /// The interfaces that it imports.
    pub imports: Vec<String>,
    /// What it may reach beyond its input: as its file declares, or as was declared and granted.
    #[schema(value_type = Object)]
    pub capabilities: Value,
    /// What one call may use, as far as the server allows it.
    pub limits: Option<StatusLimits>,
    /// The name of the trusted key that signed the source of the version that serves.
    pub signed_by: Option<String>,
    /// Why no trusted key is known to have signed it, if a signature is asked for.
    pub signature_problem: Option<String>,
    /// Its calls on this node.
    pub statistics: Statistics,
    /// Its calls within the last hour on all nodes.
    pub last_hour: LastHour,
    /// Its circuit breaker, over all nodes.
    pub breaker: Breaker,
}

/// What the database says of an uploaded plugin.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeploymentView {
    /// The version that serves; null when none was activated.
    pub active_version: Option<String>,
    /// The version before the active one, to which a rollback leads; null when there is none.
    pub previous_version: Option<String>,
    /// The newest version.
    pub latest_version: Option<String>,
    /// What it may reach by HTTP.
    pub http: HttpView,
    /// What it may keep between its calls.
    #[serde(default)]
    pub cache: CacheView,
    /// The key of the folder that it was last applied from; null if it never was.
    pub applied_by: Option<String>,
    /// How many of the running nodes serve its latest change; null in lists.
    pub nodes: Option<ServingNodes>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// Which of the running nodes serve the latest change of an uploaded plugin: its active version with its settings, secrets
/// and grants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ServingNodes {
    /// How many serve it.
    pub serving: usize,
    /// How many there are.
    pub all: usize,
    /// The ids of those that do not serve it yet.
    pub missing: Vec<String>,
}

/// What a plugin may reach by HTTP: what it declares and was granted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HttpView {
    /// What its active version asks for, or its newest one where none is active.
    #[schema(value_type = Option<Object>)]
    pub declared: Option<Value>,
    /// What an operator granted.
    #[schema(value_type = Option<Object>)]
    pub granted: Option<Value>,
}

/// What a plugin may keep between its calls: what it declares and was granted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct CacheView {
    /// What its settings ask for.
    #[schema(value_type = Option<Object>)]
    pub declared: Option<Value>,
    /// What an operator granted.
    #[schema(value_type = Option<Object>)]
    pub granted: Option<Value>,
}

/// A version of an uploaded plugin.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "2", "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "language": "javascript", "size": 1432, "signedBy": "release", "active": true, "createdAt": 1_760_003_600_000_i64,
    "createdBy": "b5n8q1w4z7k0x3c6t9r2m", "label": "4f2c9e1", "note": null, "kind": "claims", "world": "claimsmith:plugin/claims",
    "imports": ["claimsmith:plugin/log"], "exports": ["get-custom-jwt-claims"],
    "instructions": { "total": 48_211, "cases": [{ "name": "gold", "instructions": 48_211 }] },
    "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
}))]
pub struct VersionView {
    /// `1` for a plugin's first version.
    pub id: String,
    /// `sha256:…` of the source.
    pub digest: String,
    /// `javascript`, `typescript` or `wasm`.
    pub language: String,
    /// Bytes of the source.
    pub size: i64,
    /// The name of the trusted key that had signed it when it was uploaded.
    pub signed_by: Option<String>,
    /// Whether it is the one that serves.
    pub active: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The principal that uploaded it.
    pub created_by: String,
    /// What the uploader calls it, such as a commit.
    pub label: Option<String>,
    /// What the uploader says of it.
    pub note: Option<String>,
    /// Kind, world, imports, and the instructions of its golden cases (null when they were not counted).
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub facts: Value,
    /// The functions that it exports.
    pub exports: Vec<String>,
    /// What it asks to reach by HTTP.
    #[schema(value_type = Option<Object>)]
    pub http: Option<Value>,
}

/// A version with its source.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "id": "2", "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "language": "javascript", "size": 1432, "signedBy": "release", "active": true, "createdAt": 1_760_003_600_000_i64,
    "createdBy": "b5n8q1w4z7k0x3c6t9r2m", "label": "4f2c9e1", "note": null, "kind": "claims", "world": "claimsmith:plugin/claims",
    "imports": ["claimsmith:plugin/log"],
    "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 },
    "source": "export const getCustomJwtClaims = async ({ context }) => ({ plan: context.user?.customData?.plan });",
    "settings": "order = 10\n", "cases": null, "warnings": []
}))]
pub struct VersionWithSource {
    #[serde(flatten)]
    pub version: VersionView,
    /// The text; null for a component, whose bytes `Accept: application/wasm` asks for.
    pub source: Option<String>,
    /// The settings of the plugin (TOML), which are the same for all versions, with what this one asks to reach.
    /// The values of variables are `********` for a caller without `plugins:write`.
    pub settings: String,
    /// Its golden cases, as they were uploaded.
    pub cases: Option<String>,
    /// What is to be known before it is activated, such as that it costs more than twice as much as the active one.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A plugin, beside the version that a request was about.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
        "statistics": { "calls": 120, "denied": 2, "failed": 0, "meanMs": 0.8, "maxMs": 4.1, "p50Us": 760, "p99Us": 3900,
        "cache": { "hits": 80, "misses": 40, "writes": 40, "evicted": 0, "refused": 0 } },
        "signedBy": "release", "signatureProblem": null,
        "lastHour": {
            "calls": 12, "denied": 2, "failed": 0, "isFailing": false, "lastOutcome": "denied",
            "lastError": "Name the ticket.", "lastRequestId": "0192b7c4-6a1e-7d3f-8b52-4c9e1f7a2d60"
        },
        "breaker": {
            "state": "closed", "isForEverybody": false, "onlyFor": [], "users": 0, "since": null, "outcome": null,
            "reason": null, "nextProbeAt": null, "previousVersionAnswers": false, "previousVersionProblem": null
        },
        "deployment": {
            "activeVersion": "2", "previousVersion": "1", "latestVersion": "2",
            "http": {
                "declared": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 },
                "granted": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
            },
            "appliedBy": "production", "nodes": { "serving": 2, "all": 2, "missing": [] },
            "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_003_600_000_i64
        }
    },
    "version": {
        "id": "2", "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "language": "javascript", "size": 1432, "signedBy": "release", "active": true, "createdAt": 1_760_003_600_000_i64,
        "createdBy": "b5n8q1w4z7k0x3c6t9r2m", "label": "4f2c9e1", "note": null, "kind": "claims", "world": "claimsmith:plugin/claims",
        "imports": ["claimsmith:plugin/log"],
        "http": { "hosts": ["api.example.com"], "methods": ["GET"], "calls": 2, "kib": 64, "ms": 300 }
    }
}))]
pub struct DeployedPlugin {
    /// The plugin.
    pub plugin: PluginView,
    /// The version.
    pub version: VersionView,
    /// What is to be known of it, such as that it costs more than twice as much as the active one, and is therefore not
    /// active yet.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A secret's name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "API_KEY", "updatedAt": 1_760_000_000_000_i64 }))]
pub struct PluginSecretView {
    pub name: String,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// A secret's value.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "value": "correct horse battery staple" }))]
pub struct PutSecret {
    pub value: Text<1, 65536>,
}

/// A line that a plugin wrote.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "17", "createdAt": 1_760_000_000_000_i64, "level": "info", "message": "The key is ***",
    "requestId": "0192b7c4-6a1e-7d3f-8b52-4c9e1f7a2d60",
    "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
}))]
pub struct LineView {
    pub id: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// `debug`, `info`, `warn` or `error`.
    pub level: String,
    /// With `***` in place of secrets.
    pub message: String,
    /// The request during which it was written.
    pub request_id: Option<String>,
    /// `sha256:…` of the version that wrote it.
    pub digest: Option<String>,
}

/// Source, settings and golden cases of a plugin.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "name": "stamp", "origin": "store", "language": "javascript",
    "source": "export const getCustomJwtClaims = async () => ({ stamp: 1 });", "settings": "order = 10\n", "cases": null,
    "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "signature": null, "size": 57,
    "version": "2", "files": { "source": null, "settings": null, "cases": null }
}))]
pub struct SourceView {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// `javascript`, `typescript` or `wasm`.
    pub language: String,
    /// The text; null for a component.
    pub source: Option<String>,
    /// TOML: the text of the file, or what is stored. Null when a file cannot be read as settings.
    /// The values of variables are `********` for a caller without `plugins:write`.
    pub settings: Option<String>,
    /// JSON.
    pub cases: Option<String>,
    /// `sha256:…` of the source.
    pub digest: String,
    /// The signature of the source of an uploaded plugin, as it was uploaded.
    #[serde(default)]
    pub signature: Option<String>,
    /// Bytes of the source.
    pub size: i64,
    /// The version of an uploaded plugin: the active one, or the newest.
    pub version: Option<String>,
    /// The names of the files, of a plugin of the folder.
    pub files: FileNames,
}

/// Names, never paths.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct FileNames {
    pub source: Option<String>,
    pub settings: Option<String>,
    pub cases: Option<String>,
}
