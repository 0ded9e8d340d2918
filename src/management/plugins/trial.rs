//! `POST /api/plugins/{name}/test` and `/api/plugins/test`: calls a version, or a draft that is not deployed, once with
//! a given input. Secrets are placeholders unless the caller may use them.

use super::draft::Draft;
use super::refusal::not_compiled;
use super::trial_input::{OfToken, TokenTrial, TrialInput, TrialSource};
use super::upload::read_manifest;
use crate::refusals::{AccessRefused, BodyRefused, NotAccepted, NotCompiled, NotThere};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::management::{PluginsSecrets, PluginsWrite};
use claimsmith_harness::Input;
use claimsmith_runtime::{Manifest, Secrets, Source};
use claimsmith_services::deployments::{self, change};
use claimsmith_services::plugins::{Trial, TrialError, TrialOutcome};
use claimsmith_storage::{Tx, plugins};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::{JsonBody, SourceBody};
use claimsmith_web::extract::management::{Caller, Management};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// A question to a plugin.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "input": {
        "token": { "kind": "AccessToken", "scope": "orders:read" },
        "context": { "user": { "id": "q3v8k1znw2pd", "customData": { "plan": "gold" } } }
    }
}))]
pub(super) struct TestPlugin {
    /// As in a golden case: `token`, `context` and `environmentVariables`; of a webhook transform `event`, `hook`, `id`
    /// and `environmentVariables`; of a message plugin `message` and `environmentVariables`.
    #[schema(value_type = Option<Object>)]
    input: Option<Input>,
    /// In place of an input: the token of this `jti`, asked about once more.
    issuance_id: Option<String>,
    /// In place of an input: a token that an application could ask for.
    request: Option<OfToken>,
    /// The version of an uploaded plugin; default the active one, or the newest.
    version: Option<String>,
}

/// A question to a draft.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "language": "javascript",
    "source": "export const getCustomJwtClaims = async ({ context }) => ({ plan: context.user?.customData?.plan });",
    "input": {
        "token": { "kind": "AccessToken", "scope": "orders:read" },
        "context": { "user": { "id": "q3v8k1znw2pd", "customData": { "plan": "gold" } } }
    }
}))]
pub(super) struct TestDraft {
    /// `javascript`, `typescript` or `wasm`.
    language: String,
    /// The text of a source.
    source: Option<String>,
    /// The bytes of a component.
    source_base64: Option<String>,
    /// As in a golden case: `token`, `context` and `environmentVariables`; of a webhook transform `event`, `hook`, `id`
    /// and `environmentVariables`; of a message plugin `message` and `environmentVariables`.
    #[schema(value_type = Option<Object>)]
    input: Option<Input>,
    /// In place of an input: the token of this `jti`, asked about once more.
    issuance_id: Option<String>,
    /// In place of an input: a token that an application could ask for.
    request: Option<OfToken>,
    /// Its settings (TOML). What they ask to reach is not reached.
    settings: Option<String>,
    /// Its variables, over those of its settings.
    #[serde(default)]
    environment: BTreeMap<String, String>,
}

/// What came of a test.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct TestOutcome {
    #[serde(flatten)]
    outcome: TrialOutcome,
    /// Where the test is about a token: that token.
    #[serde(flatten)]
    token: TokenTrial,
}

/// Asks a plugin, by the path that tokens, deliveries and messages take; one of the folder as its file is now.
///
/// No token comes of it, and nothing is sent.
#[utoipa::path(
    post, path = "/api/plugins/{name}/test", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    request_body = TestPlugin,
    responses(
        (status = 200, description = "What came of it, whether it worked or not", body = TestOutcome),
        BodyRefused, AccessRefused, NotThere, NotAccepted, NotCompiled,
    ),
)]
pub(super) async fn test_plugin(
    management: Management<PluginsWrite>,
    Id(name): Id,
    JsonBody(body): JsonBody<TestPlugin>,
) -> Result<Json<TestOutcome>, ApiError> {
    let TestPlugin { input, issuance_id, request, version } = body;
    let given = TrialSource { input, issuance_id, request }.read(&management).await?;
    let mut tx = management.read().await?;
    let Some(plugin) = plugins::find(&mut tx, &name).await? else {
        drop(tx);
        return test_file(&management, &name, version, given).await;
    };
    let newest = plugin.active_version.unwrap_or(plugin.last_version).to_string();
    let wanted = version.unwrap_or(newest);
    let missing = || ApiError::not_found(&format!("version of plugin {name:?}"), &wanted);
    let id = wanted.parse().map_err(|_| missing())?;
    let version = plugins::versions::find(&mut tx, &name, id).await?.ok_or_else(missing)?;
    let bytes = plugins::versions::source(&mut tx, &name, id).await?.ok_or_else(missing)?;
    let language = deployments::language(&version.language).ok_or_else(missing)?;
    let mut manifest = change::settings(&plugin)?;
    manifest.capabilities.http = deployments::effective(version.http, plugin.http_grant)?;
    manifest.capabilities.cache = deployments::effective_cache(manifest.capabilities.cache, plugin.cache_grant)?;
    let secrets = secrets(&management, &mut tx, &name).await?;
    drop(tx);
    answer(&management, Source::new(name, language, bytes), manifest, secrets, given).await
}

/// Calls a plugin of the folder with its current file.
async fn test_file(
    management: &Caller,
    name: &str,
    version: Option<String>,
    given: TrialInput,
) -> Result<Json<TestOutcome>, ApiError> {
    let holds_secrets = management.holds::<PluginsSecrets>();
    let read = management.app.plugins.read_from_folder(name, holds_secrets).await.map_err(not_tried)?;
    let (source, manifest, secrets) = read.ok_or_else(|| ApiError::not_found("plugin", name))?;
    if let Some(version) = version {
        return Err(ApiError::not_found(&format!("version of plugin {name:?}, a file,"), &version));
    }
    let secrets = if holds_secrets { secrets } else { Secrets::placeholders(manifest.secrets.keys()) };
    answer(management, source, manifest, secrets, given).await
}

/// Asks a draft, which is compiled and tried like an upload and then forgotten.
#[utoipa::path(
    post, path = "/api/plugins/test", tag = "Plugins",
    request_body = TestDraft,
    responses(
        (status = 200, description = "What came of it, whether it worked or not", body = TestOutcome),
        BodyRefused, AccessRefused, NotAccepted, NotCompiled,
        (status = 404, description = "No such issuance or application", body = ApiErrorBody),
    ),
)]
pub(super) async fn test_draft(
    management: Management<PluginsWrite>,
    SourceBody(body): SourceBody<TestDraft>,
) -> Result<Json<TestOutcome>, ApiError> {
    let TestDraft { language, source, source_base64, input, issuance_id, request, settings, environment } = body;
    let source = Draft { name: None, language, source, source_base64 }.read(&management)?;
    let mut manifest = match settings {
        Some(text) => read_manifest(&source.name, &text)?,
        None => Manifest::default(),
    };
    manifest.environment.extend(environment);
    // A draft has no grant. Its cache is this call's alone, and reaches nothing.
    manifest.capabilities.http = None;
    let given = TrialSource { input, issuance_id, request }.read(&management).await?;
    answer(&management, source, manifest, Secrets::default(), given).await
}

async fn answer(
    management: &Caller,
    source: Source,
    manifest: Manifest,
    secrets: Secrets,
    given: TrialInput,
) -> Result<Json<TestOutcome>, ApiError> {
    let TrialInput { input, token } = given;
    let tried = management.app.plugins.try_out(&Trial { source, manifest, secrets, input }).await;
    let outcome = tried.map_err(not_tried)?;
    let token = token.map(|token| token.view(management, outcome.claims.as_ref())).unwrap_or_default();
    Ok(Json(TestOutcome { outcome, token }))
}

fn not_tried(error: TrialError) -> ApiError {
    let (kind, message) = match error {
        TrialError::Compile(error) => return not_compiled(error),
        TrialError::Start(_) => return error.into(),
        TrialError::Input(error) => {
            return ApiError::invalid_input("body", format!("Error in key path \"input\": {error}"));
        }
        TrialError::Load(error) => (error.outcome(), error.to_string()),
        TrialError::Settings(error) => ("manifest", error.to_string()),
        TrialError::Files(message) => ("file", message),
    };
    let findings = json!({ "findings": [{ "kind": kind, "message": message }] });
    ApiError::new(ApiCode::PluginRefused, message).with_data(findings)
}

/// The plugin's secrets, or `secret:NAME` for each if the caller may not use them.
async fn secrets(management: &Caller, tx: &mut Tx, name: &str) -> Result<Secrets, ApiError> {
    let rows = plugins::secrets::list(tx, name).await?;
    if management.holds::<PluginsSecrets>() {
        return deployments::decrypt_all(&management.app.cipher, rows)
            .map_err(|problem| ApiError::new(ApiCode::PluginSecretUnreadable, problem));
    }
    Ok(Secrets::placeholders(rows.into_iter().map(|row| row.name)))
}
