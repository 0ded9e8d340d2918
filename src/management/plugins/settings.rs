//! `PATCH /api/plugins/{name}`: changes the settings of an uploaded plugin without a new upload.

use super::change::{IfMatch, PluginChange, finish};
use super::view::ShownPlugin;
use crate::refusals::{AccessRefused, BodyRefused, NotChanged, NotThere};
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::management::{PluginsWrite, RecentIfAsked};
use claimsmith_json::present;
use claimsmith_runtime::{LimitSettings, Manifest, OnError, TokenKind};
use claimsmith_services::deployments::{self, change};
use claimsmith_storage::plugins;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

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
        if let Some(UpdateLimits { deadline_ms, memory_mib, output_kib }) = self.limits {
            manifest.limits = LimitSettings { deadline_ms, memory_mib, output_kib };
        }
    }
}

/// Changes how a plugin takes part. All of it takes effect at once, for whole requests.
#[utoipa::path(
    patch, path = "/api/plugins/{name}", tag = "Plugins", summary = "Change a plugin's settings",
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
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    let mut manifest = change::settings(&plugin)?;
    let LimitSettings { deadline_ms, memory_mib, output_kib } = manifest.limits;
    let limits = json!({ "deadlineMs": deadline_ms, "memoryMib": memory_mib, "outputKib": output_kib });
    body.over(&json!({ "limits": limits }))?.apply(&mut manifest);
    if change::starts_serving(&plugin, &manifest) {
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
    change::set_settings(&mut plugin, &manifest)?;
    change::save(&mut tx, &mut plugin, management.now()).await?;
    // Readers of the log may not be allowed to see the values of variables.
    for value in manifest.environment.values_mut() {
        HIDDEN.clone_into(value);
    }
    let details = json!({ "plugin": name, "settings": manifest });
    tx.audit(AuditKey::ManagementPluginUpdate, details).await?;
    finish(&management, tx, &name).await
}
