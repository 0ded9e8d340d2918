//! `GET /api/plugins/{name}/source`: the source for an editor, of an uploaded plugin or of a file of the plugin folder.

use super::view::{entity_tag, file_tag, hide_variables, tagged};
use crate::refusals::{AccessRefused, NotThere};
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::plugins::{FileNames, SourceView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::management::PluginsRead;
use claimsmith_runtime::{Language, Manifest};
use claimsmith_services::deployments::{self, change, shown_http};
use claimsmith_services::plugins::{FolderFiles, Origin, TrialError};
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;

/// Shows source, settings and golden cases of a plugin: of an uploaded one those of the version that serves, or of the
/// newest; of the plugin folder the files as they are now.
#[utoipa::path(
    get, path = "/api/plugins/{name}/source", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        (status = 200, description = "The source", body = SourceView, headers(("ETag" = String, description = "Its revision, for `If-Match`"))),
        AccessRefused, NotThere,
        (status = 422, description = "The files cannot be read as a plugin", body = claimsmith_web::error::ApiErrorBody),
    ),
)]
pub(super) async fn show_plugin_source(
    management: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let missing = || ApiError::not_found("plugin", &name);
    let Some(plugin) = plugins::find(&mut tx, &name).await? else {
        drop(tx);
        return of_folder(&management, &name).await;
    };
    let id = plugin.active_version.unwrap_or(plugin.last_version);
    let version = plugins::versions::find(&mut tx, &name, id).await?.ok_or_else(missing)?;
    let source = plugins::versions::source(&mut tx, &name, id).await?.ok_or_else(missing)?;
    let signature = plugins::versions::signature(&mut tx, &name, id).await?;
    let tag = entity_tag(&plugin);
    let view = SourceView {
        name,
        origin: Origin::Store,
        source: if version.language == "wasm" { None } else { String::from_utf8(source).ok() },
        settings: Some(settings_text(&management, &plugin, &version)?),
        language: version.language,
        cases: version.cases,
        digest: version.digest,
        signature,
        size: version.size,
        version: Some(id.to_string()),
        files: FileNames::default(),
    };
    Ok(tagged(StatusCode::OK, &tag, view))
}

async fn of_folder(management: &Caller, name: &str) -> Result<Response, ApiError> {
    let read = management.app.plugins.files_of_folder(name).await.map_err(|error| match error {
        TrialError::Files(message) => {
            let findings = json!({ "findings": [{ "kind": "file", "message": message }] });
            ApiError::new(ApiCode::PluginRefused, message).with_data(findings)
        }
        other => other.into(),
    })?;
    let FolderFiles { source, source_file, settings, settings_file, cases, cases_file } =
        read.ok_or_else(|| ApiError::not_found("plugin", name))?;
    let tag = file_tag(&source);
    let view = SourceView {
        name: name.to_owned(),
        origin: Origin::Folder,
        language: deployments::language_name(source.language).to_owned(),
        source: match source.language {
            Language::Wasm => None,
            Language::JavaScript | Language::TypeScript => String::from_utf8(source.bytes().to_vec()).ok(),
        },
        // Values that were written into `[secrets]` by mistake are never shown.
        settings: settings.as_ref().and_then(|text| shown_settings(management, &settings_file, text)),
        files: FileNames {
            source: Some(source_file),
            settings: settings.is_some().then_some(settings_file),
            cases: cases.is_some().then_some(cases_file),
        },
        cases,
        digest: source.digest().to_owned(),
        signature: None,
        size: i64::try_from(source.bytes().len())?,
        version: None,
    };
    Ok(tagged(StatusCode::OK, &tag, view))
}

/// The text of a settings file; without the values of variables if the caller may not write them. `None` if it cannot
/// be read.
fn shown_settings(management: &Caller, file: &str, text: &str) -> Option<String> {
    let mut manifest = Manifest::parse(file, text).ok()?;
    let written = manifest.environment.clone();
    hide_variables(management, &mut manifest.environment);
    if manifest.environment == written { Some(text.to_owned()) } else { manifest.to_toml().ok() }
}

/// The settings of an uploaded plugin as an upload would have them: with the servers that the version declares. Without
/// the values of variables if the caller may not write them.
pub(super) fn settings_text(management: &Caller, plugin: &Plugin, version: &Version) -> Result<String, ApiError> {
    let mut manifest = change::settings(plugin)?;
    let http = version.http.as_ref().map(|http| serde_json::from_value(shown_http(http.0.clone()))).transpose()?;
    manifest.capabilities.http = http;
    hide_variables(management, &mut manifest.environment);
    manifest.to_toml().map_err(|error| ApiError::failed(&error))
}
