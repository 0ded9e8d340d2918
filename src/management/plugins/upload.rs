//! `PUT /api/plugins/{name}`: an upload is compiled and tested in a child process, then stored, then activated. No
//! transaction begins before it is accepted.

use super::candidate::{compile_and_test, fits};
use super::change::{
    ChangeScope, IfMatch, PluginChange, check_connectors, demand_second_person, publish, refuse_folder, refuse_rollout,
};
use super::cost;
use super::customizer;
use super::refusal::refused;
use super::upload_body::Upload;
use super::upload_label::UploadLabels;
use super::versions::deployed;
use crate::refusals::{AccessRefused, BodyRefused, NotAccepted, NotChanged, NotCompiled};
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::plugins::DeployedPlugin;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::management::{PluginsWrite, RecentIfAsked};
use claimsmith_runtime::Manifest;
use claimsmith_services::deployments::change::AcceptedVersion;
use claimsmith_services::deployments::{self, change};
use claimsmith_services::plugins::compile::Finding;
use claimsmith_storage::Tx;
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::NewName;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// How an upload is to be taken.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct UploadQuery {
    /// Whether the version is to serve at once. Default true.
    activate: Option<bool>,
    /// Whether it may take over from a file of the plugin folder, which is set aside until the upload is deleted.
    /// Default false.
    take_over: Option<bool>,
    /// Whether it is to serve even if it costs more than twice as much as the active version on the golden cases that
    /// both have. Without it, such a version is stored with a warning, and not activated. Default false.
    accept_cost: Option<bool>,
    /// What the version is called, such as the commit that it is of.
    #[param(value_type = Option<String>, min_length = 1, max_length = 128)]
    label: Option<Text<1, 128>>,
    /// What is to be said of the version.
    #[param(value_type = Option<String>, min_length = 1, max_length = 1024)]
    note: Option<Text<1, 1024>>,
    /// The key of the folder that it is applied from: `claimsmith plugin apply --prune` deletes by it.
    #[param(value_type = Option<String>, min_length = 1, max_length = 64)]
    applied_by: Option<Text<1, 64>>,
}

/// Uploads a version of a plugin.
///
/// It serves on this node when the answer comes, and on all others within moments.
#[utoipa::path(
    put, path = "/api/plugins/{name}", tag = "Plugins",
    params(("name" = String, Path, description = "Lowercase letters, digits, `-` and `_`; not `test`, the path of drafts"), UploadQuery, IfMatch,
        ("If-None-Match" = Option<String>, Header, description = "`*`: 412 if there is a plugin of this name already")),
    request_body(
        description = "A component (`application/wasm`), a source (`text/javascript`, `application/typescript`), or \
                       `multipart/form-data` with the part `source`, and `manifest` (TOML), `cases` (JSON) and `signature` \
                       (what `cosign sign-blob --key` writes for the source) beside it.",
        content((Vec<u8> = "application/wasm"), (String = "text/javascript"), (String = "application/typescript"),
            (Vec<u8> = "multipart/form-data")),
    ),
    responses(
        (status = 200, description = "The active version has this digest already", body = DeployedPlugin, headers(("ETag" = String, description = "Its revision, for `If-Match`"))),
        (status = 201, description = "A new version", body = DeployedPlugin, headers(("ETag" = String, description = "Its revision, for `If-Match`"))),
        BodyRefused, AccessRefused, NotChanged, NotAccepted, NotCompiled,
        (status = 415, description = "The body is of no type that is read", body = ApiErrorBody),
    ),
)]
pub(super) async fn upload_plugin(
    management: Management<RecentIfAsked<PluginsWrite>>,
    NewName(name): NewName,
    query: Result<Query<UploadQuery>, axum::extract::rejection::QueryRejection>,
    seen: IfMatch,
    upload: Upload,
) -> Result<Response, ApiError> {
    let Query(UploadQuery { activate, take_over, accept_cost, label, note, applied_by }) =
        query.map_err(|error| ApiError::invalid_input("query", error.body_text()))?;
    let labels = UploadLabels::read(label, note, applied_by)?;
    let (activate, take_over) = (activate.unwrap_or(true), take_over.unwrap_or(false));
    if take_over && !activate {
        let details =
            "Error in the query: what takes over from a file serves at once, since the file does not any more";
        return Err(ApiError::invalid_input("query", details));
    }
    if activate {
        management.demand_recent()?;
        demand_second_person(&management, management.id())?;
    }
    check_name(&name)?;
    if customizer::is_reserved(&name) {
        let message = "This name belongs to a token script: set it at /api/configs/jwt-customizer.";
        return Err(ApiError::new(ApiCode::PluginNameInUse, message));
    }
    if !take_over {
        refuse_folder(&management, &name)?;
    }
    let manifest = upload.manifest.as_deref().map(|text| read_manifest(&name, text)).transpose()?;
    let scope = {
        // Checked before the compilation, which takes long; it is checked again when the change begins.
        let folder = seen.tags_of_folder(&management, &name).await;
        let mut tx = management.read().await?;
        let plugin = plugins::find(&mut tx, &name).await?;
        // Settings apply to every version.
        let stays = !activate && keeps_settings(plugin.as_ref(), manifest.as_ref())?;
        let scope = if stays { ChangeScope::Stored } else { ChangeScope::Serving };
        check_connectors(&management, &mut tx, &name, scope).await?;
        seen.check(plugin.as_ref(), &folder)?;
        if scope == ChangeScope::Serving {
            refuse_rollout(&mut tx, &name).await?;
        }
        scope
    };
    let mut candidate = compile_and_test(&management, &name, upload).await?;
    (candidate.label, candidate.note) = (labels.label, labels.note);

    let begun = if take_over {
        PluginChange::begin_any(&management, &name, &seen, scope).await?
    } else {
        PluginChange::begin_of(&management, &name, &seen, scope).await?
    };
    let PluginChange { mut tx, plugin } = begun;
    let now = management.now();
    let mut plugin = plugin.unwrap_or_else(|| change::new_plugin(&name, now));
    let settings = plugin.settings.clone();
    if let Some(mut manifest) = manifest {
        // The declared servers belong to the version, the granted ones to the plugin.
        candidate.http = manifest.capabilities.http.take().as_ref().map(deployments::stored_http).transpose()?;
        if change::starts_serving(&plugin, &manifest) {
            management.demand_recent()?;
        }
        if scope == ChangeScope::Stored && !keeps_settings(Some(&plugin), Some(&manifest))? {
            // The settings have changed since they were compared.
            check_connectors(&management, &mut tx, &name, ChangeScope::Serving).await?;
            refuse_rollout(&mut tx, &name).await?;
        }
        change::set_settings(&mut plugin, &manifest)?;
    } else {
        fits(&plugin, candidate.kind)?;
        // Settings and declared servers stay unchanged.
        let before = plugins::versions::find(&mut tx, &name, plugin.active_version.unwrap_or(plugin.last_version));
        candidate.http = before.await?.and_then(|version| version.http).map(|http| http.0);
    }
    if let Some(active) = plugin.active_version
        && let Some(version) = plugins::versions::find(&mut tx, &name, active).await?
        && version.digest == candidate.source.digest()
        && version.cases == candidate.cases
        && version.http.as_ref().map(|http| &http.0) == candidate.http.as_ref()
        && plugin.settings == settings
        && is_signed_alike(&mut tx, &version, candidate.signature.as_deref()).await?
    {
        // Nothing to change: the transaction is rolled back.
        drop(tx);
        return deployed(&management, StatusCode::OK, (version, Vec::new()), &plugin).await;
    }
    let mut warnings = cost_warnings(&mut tx, &plugin, &candidate).await?;
    let activate = activate && (warnings.is_empty() || accept_cost.unwrap_or(false));
    if !activate && let Some(warning) = warnings.first_mut() {
        warning.push_str("; it does not serve yet: activate it, or upload it with acceptCost=true");
    }
    plugin.applied_by = labels.applied_by.or(plugin.applied_by);
    let version = change::add_version(&mut tx, &mut plugin, &candidate, activate, now).await?;
    let details = json!({
        "plugin": name, "version": version.id.to_string(), "digest": version.digest, "activated": activate,
        "takeOver": take_over, "label": version.label, "appliedBy": plugin.applied_by,
        "signedBy": candidate.signer,
    });
    tx.audit(AuditKey::ManagementPluginUpload, details).await?;
    publish(&management, tx).await?;
    deployed(&management, StatusCode::CREATED, (version, warnings), &plugin).await
}

/// What is to be said of the cost of a version, beside the one that serves.
async fn cost_warnings(tx: &mut Tx, plugin: &Plugin, candidate: &AcceptedVersion) -> Result<Vec<String>, ApiError> {
    let Some(active) = plugin.active_version else { return Ok(Vec::new()) };
    let Some(active) = plugins::versions::find(tx, &plugin.name, active).await? else { return Ok(Vec::new()) };
    let counted = cost::counted(&candidate.facts);
    Ok(cost::warning(&counted, candidate.cases.as_deref(), &active).into_iter().collect())
}

/// Whether an upload leaves the settings of the plugin as they are. The declared servers belong to the version.
fn keeps_settings(plugin: Option<&Plugin>, manifest: Option<&Manifest>) -> serde_json::Result<bool> {
    let (Some(plugin), Some(manifest)) = (plugin, manifest) else { return Ok(manifest.is_none()) };
    let mut settings = manifest.clone();
    settings.capabilities.http = None;
    Ok(change::settings(plugin)? == settings)
}

/// Whether an upload of the same source adds no signature.
async fn is_signed_alike(tx: &mut Tx, version: &Version, signature: Option<&str>) -> Result<bool, ApiError> {
    let Some(signature) = signature else { return Ok(true) };
    let stored = plugins::versions::signature(tx, &version.plugin_name, version.id).await?;
    Ok(stored.as_deref() == Some(signature))
}

/// The settings of an upload. They may not name files or variables of the server: otherwise an uploader could read the
/// server's own.
pub(super) fn read_manifest(name: &str, text: &str) -> Result<Manifest, ApiError> {
    let file = format!("{name}.toml");
    let manifest = Manifest::parse(&file, text);
    let manifest = manifest.map_err(|error| refused(&[Finding::of_manifest(&error).located_in(text)]))?;
    match foreign_secrets(&file, text, &manifest) {
        Some(finding) => Err(refused(&[finding])),
        None => Ok(manifest),
    }
}

/// The problem of settings that name secrets.
pub(super) fn foreign_secrets(file: &str, text: &str, manifest: &Manifest) -> Option<Finding> {
    let message = "secrets of an uploaded plugin are set with PUT /api/plugins/{name}/secrets/{secret}";
    let finding = || Finding::in_manifest(file, "secrets", message).located_in(text);
    (!manifest.secrets.is_empty()).then(finding)
}

/// Names follow the rules for files of the plugin folder.
pub(super) fn check_name(name: &str) -> Result<(), ApiError> {
    claimsmith_runtime::check_plugin_name(name)
        .map_err(|error| ApiError::invalid_input("path", format!("Error in the name: {error}")))
}
