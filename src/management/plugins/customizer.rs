//! `/api/configs/jwt-customizer`: token scripts, by the API of the reference service that existing tools use. Each is
//! an uploaded plugin with a reserved name, and has versions, a log and an order like any other.

use super::candidate::compile_and_test;
use super::change::{IfMatch, PluginChange, demand_second_person, publish, refuse_rollout};
use super::refusal::not_compiled;
use super::upload_body::Upload;
use super::view::hide_variables;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchId, NotAccepted, NotCompiled, NotThere};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use claimsmith_api::jwt_customizer::{Customizer, KeyedCustomizer, TestCustomizer, TokenType};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{PluginsRead, PluginsWrite, Recent};
use claimsmith_harness::Input;
use claimsmith_runtime::{Kind, Language, Manifest, OnError, Secrets, Source, TokenKind};
use claimsmith_services::deployments::change;
use claimsmith_services::plugins::{Trial, TrialError};
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_storage::{Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::SourceBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::{Map, Value, json};

/// The scripts: the name in the path, the name in the list, the plugin, and the kind of tokens that it runs for.
const SCRIPTS: [(&str, &str, &str, TokenKind); 2] = [
    ("access-token", "jwt.accessToken", "jwt-access-token", TokenKind::AccessToken),
    ("client-credentials", "jwt.clientCredentials", "jwt-client-credentials", TokenKind::ClientCredentials),
];

/// Whether a plugin of this name belongs to this API.
pub(super) fn is_reserved(name: &str) -> bool {
    SCRIPTS.iter().any(|(_, _, plugin, _)| *plugin == name)
}

fn script(path: &str) -> Result<(&'static str, TokenKind), ApiError> {
    let found = SCRIPTS.iter().find(|(name, ..)| *name == path);
    found.map(|(_, _, plugin, kind)| (*plugin, *kind)).ok_or_else(|| {
        let details = "Error in the path: expected access-token or client-credentials";
        ApiError::invalid_input("path", details)
    })
}

/// Lists the scripts that are set.
#[utoipa::path(
    get, path = "/api/configs/jwt-customizer", tag = "Token scripts",
    responses((status = 200, description = "The scripts", body = Vec<KeyedCustomizer>), AccessRefused),
)]
pub(super) async fn list_customizers(
    management: Management<PluginsRead>,
) -> Result<Json<Vec<KeyedCustomizer>>, ApiError> {
    let mut tx = management.read().await?;
    let mut found = Vec::new();
    for (_, key, plugin, _) in SCRIPTS {
        if let Some(value) = stored(&mut tx, plugin).await? {
            let value = shown_to(&management, value);
            found.push(KeyedCustomizer { key: key.to_owned(), value });
        }
    }
    Ok(Json(found))
}

/// Shows a script.
#[utoipa::path(
    get, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    responses(
        (status = 200, description = "The script", body = Customizer),
        (status = 400, description = "No such kind of token", body = ApiErrorBody),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn show_customizer(
    management: Management<PluginsRead>,
    Id(path): Id,
) -> Result<Json<Customizer>, ApiError> {
    let (plugin, _) = script(&path)?;
    let value = stored(&mut management.read().await?, plugin).await?;
    let value = value.map(|value| shown_to(&management, value));
    value.map(Json).ok_or_else(|| ApiError::not_found("token script", &path))
}

/// Sets a script.
///
/// It is compiled and tried first.
#[utoipa::path(
    put, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    request_body = Customizer,
    responses(
        (status = 200, description = "It replaced one", body = Customizer),
        (status = 201, description = "It is the first", body = Customizer),
        (status = 409, description = "A rollout of it runs, or a second person is required", body = ApiErrorBody),
        BodyRefused, AccessRefused, NoSuchId, NotAccepted, NotCompiled,
    ),
)]
pub(super) async fn put_customizer(
    management: Management<Recent<PluginsWrite>>,
    Id(path): Id,
    SourceBody(body): SourceBody<Customizer>,
) -> Result<Response, ApiError> {
    let (plugin, kind) = script(&path)?;
    save(&management, plugin, kind, CustomizerChange::All(body)).await
}

/// Changes a script: members that are given replace those that are stored.
///
/// `script` must be given.
#[utoipa::path(
    patch, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    request_body = Customizer,
    responses(
        (status = 200, description = "The script", body = Customizer),
        (status = 409, description = "A rollout of it runs, or a second person is required", body = ApiErrorBody),
        BodyRefused, AccessRefused, NotThere, NotAccepted, NotCompiled,
    ),
)]
pub(super) async fn patch_customizer(
    management: Management<Recent<PluginsWrite>>,
    Id(path): Id,
    SourceBody(body): SourceBody<Customizer>,
) -> Result<Response, ApiError> {
    let (plugin, kind) = script(&path)?;
    // Checked before the compilation, which takes a while.
    let before = stored(&mut management.read().await?, plugin).await?;
    before.ok_or_else(|| ApiError::not_found("token script", &path))?;
    save(&management, plugin, kind, CustomizerChange::Some(body)).await
}

/// Deletes a script with its versions.
#[utoipa::path(
    delete, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 400, description = "No such kind of token", body = ApiErrorBody),
        (status = 409, description = "A rollout of it runs", body = ApiErrorBody),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn delete_customizer(
    management: Management<PluginsWrite>,
    Id(path): Id,
) -> Result<StatusCode, ApiError> {
    let (plugin, _) = script(&path)?;
    let PluginChange { mut tx, .. } = PluginChange::begin(&management, plugin, &IfMatch::anything()).await?;
    if !plugins::delete(&mut tx, plugin).await? {
        return Err(ApiError::nothing_to_delete("token script", &path));
    }
    tx.audit(AuditKey::ManagementPluginDelete, json!({ "plugin": plugin })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The members of a script that a request sets.
enum CustomizerChange {
    /// All members.
    All(Customizer),
    /// Some members; the others stay unchanged.
    Some(Customizer),
}

/// A script as this caller may see it.
fn shown_to(caller: &Caller, mut script: Customizer) -> Customizer {
    if let Some(variables) = &mut script.environment_variables {
        hide_variables(caller, variables);
    }
    script
}

/// These members, completed by the previous ones.
fn completed(given: Customizer, before: Customizer) -> Customizer {
    Customizer {
        script: given.script,
        environment_variables: given.environment_variables.or(before.environment_variables),
        context_sample: given.context_sample.or(before.context_sample),
        token_sample: given.token_sample.or(before.token_sample),
        block_issuance_on_error: given.block_issuance_on_error.or(before.block_issuance_on_error),
    }
}

async fn save(management: &Caller, name: &str, kind: TokenKind, given: CustomizerChange) -> Result<Response, ApiError> {
    // Before the compilation, which takes a while.
    demand_second_person(management, management.id())?;
    refuse_rollout(&mut management.read().await?, name).await?;
    let (CustomizerChange::All(body) | CustomizerChange::Some(body)) = &given;
    let upload = Upload {
        place: management.app.plugins.compiler().place().map_err(not_compiled)?,
        language: Language::JavaScript,
        source: String::from(body.script.clone()).into_bytes().into(),
        manifest: None,
        cases: None,
        signature: None,
    };
    let candidate = compile_and_test(management, name, upload).await?;
    if candidate.kind != Kind::Claims {
        return Err(ApiError::invalid_input("body", "Error in key path \"script\": it defines no getCustomJwtClaims"));
    }
    let PluginChange { mut tx, plugin } = PluginChange::begin(management, name, &IfMatch::anything()).await?;
    // Omitted members are read within the transaction that excludes other changes, so concurrent changes are kept.
    let body = match given {
        CustomizerChange::All(body) => body,
        CustomizerChange::Some(body) => {
            let before = plugin.as_ref().and_then(members);
            let mut before = before.ok_or_else(|| ApiError::not_found("token script", name))?;
            before["script"] = json!(body.script);
            completed(body, serde_json::from_value(before)?)
        }
    };
    let manifest = Manifest {
        on_error: Some(if body.block_issuance_on_error == Some(true) { OnError::Deny } else { OnError::Skip }),
        token_kinds: Some(vec![kind]),
        environment: body.environment_variables.clone().unwrap_or_default(),
        ..Manifest::default()
    };
    manifest.validate("body").map_err(|error| ApiError::invalid_input("body", error.to_string()))?;
    let status = if plugin.is_some() { StatusCode::OK } else { StatusCode::CREATED };
    let now = management.now();
    let mut plugin = plugin.unwrap_or_else(|| change::new_plugin(name, now));
    change::set_settings(&mut plugin, &manifest)?;
    plugin.customizer = Some(Stored(serde_json::to_value(&body)?));
    let version = change::add_version(&mut tx, &mut plugin, &candidate, true, now).await?;
    let details = json!({
        "plugin": name, "version": version.id.to_string(), "digest": version.digest, "signedBy": candidate.signer,
    });
    tx.audit(AuditKey::ManagementPluginUpload, details).await?;
    publish(management, tx).await?;
    Ok((status, Json(body)).into_response())
}

/// The active script: that of the active version, also after a rollback.
async fn stored(tx: &mut Tx, name: &str) -> Result<Option<Customizer>, ApiError> {
    let Some(plugin) = plugins::find(tx, name).await? else { return Ok(None) };
    let Some((mut value, id)) = members(&plugin).zip(plugin.active_version) else { return Ok(None) };
    if let Some(source) = plugins::versions::source(tx, name, id).await? {
        value["script"] = json!(String::from_utf8_lossy(&source));
    }
    Ok(Some(serde_json::from_value(value)?))
}

/// The stored members of a script, whose source is also in its version. An unreadable document, or one that a repair
/// emptied, has lost its samples. Its variables, and whether it blocks issuance, are taken from the plugin's settings,
/// so that a change of other members does not reset them.
fn members(plugin: &Plugin) -> Option<Value> {
    let Stored(value) = plugin.customizer.as_ref()?;
    if value["script"].is_string() {
        return Some(value.clone());
    }
    // Unreadable settings count as the default ones, as they do when the plugin is loaded.
    let settings = change::settings(plugin).unwrap_or_default();
    let blocks = settings.on_error(Kind::Claims) == OnError::Deny;
    Some(json!({ "environmentVariables": settings.environment, "blockIssuanceOnError": blocks }))
}

/// Asks a script that need not be set, and answers its claims.
#[utoipa::path(
    post, path = "/api/configs/jwt-customizer/test", tag = "Token scripts",
    request_body = TestCustomizer,
    responses(
        (status = 200, description = "The claims", body = Object,
            example = json!({ "region": "eu" })),
        BodyRefused, AccessRefused,
        (status = 422, description = "The script failed: `data.message`", body = ApiErrorBody),
        NotCompiled,
    ),
)]
pub(super) async fn test_customizer(
    management: Management<PluginsWrite>,
    SourceBody(body): SourceBody<TestCustomizer>,
) -> Result<Json<Map<String, Value>>, ApiError> {
    let name = match body.token_type {
        TokenType::AccessToken => "jwt-access-token",
        TokenType::ClientCredentials => "jwt-client-credentials",
    };
    let input: Input = serde_json::from_value(json!({ "token": body.token, "context": body.context }))
        .map_err(|error| ApiError::invalid_input("body", format!("Error in key path \"context\": {error}")))?;
    let source = Source::new(name, Language::JavaScript, body.script.into_bytes());
    let environment = body.environment_variables.unwrap_or_default();
    let manifest = Manifest { environment, ..Manifest::default() };
    let trial = Trial { source, manifest, secrets: Secrets::default(), input };
    let outcome = match management.app.plugins.try_out(&trial).await {
        Ok(outcome) => outcome,
        Err(TrialError::Compile(error)) => return Err(not_compiled(error)),
        Err(TrialError::Load(error)) => return Err(failed(&error.to_string(), error.outcome())),
        Err(TrialError::Input(error)) => return Err(failed(&error.to_string(), "wrong_world")),
        Err(error) => return Err(error.into()),
    };
    let message = outcome.message.unwrap_or_default();
    match (outcome.claims, outcome.outcome) {
        (Some(claims), _) => Ok(Json(claims)),
        (None, "denied") => Err(ApiError::new(ApiCode::JwtCustomizerGeneralDenied, &message)
            .with_data(json!({ "message": message, "error": { "code": "AccessDenied", "message": message } }))),
        (None, how) => Err(failed(&message, how)),
    }
}

fn failed(message: &str, how: &str) -> ApiError {
    ApiError::new(ApiCode::JwtCustomizerGeneralFailed, message)
        .with_data(json!({ "message": message, "error": { "code": how, "message": message } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plugin(settings: Value, customizer: Value) -> Plugin {
        let plugin = change::new_plugin("jwt-access-token", 0);
        Plugin { settings: Stored(settings), customizer: Some(Stored(customizer)), ..plugin }
    }

    #[test]
    fn what_cannot_be_read_is_taken_from_the_settings() {
        let settings = json!({ "on_error": "deny", "environment": { "REGION": "eu" } });
        let kept = json!({ "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true });
        let marker = json!({ "$claimsmith::unreadable": "nested deeper than allowed" });
        for lost in [marker.clone(), json!({})] {
            assert_eq!(members(&plugin(settings.clone(), lost)), Some(kept.clone()));
        }
        let whole = json!({ "script": "1", "tokenSample": { "a": 1 } });
        assert_eq!(members(&plugin(settings, whole.clone())), Some(whole));
        // If neither can be read, no token is issued without the script.
        let blocks = members(&plugin(marker.clone(), marker)).map(|members| members["blockIssuanceOnError"].clone());
        assert_eq!(blocks, Some(json!(true)));
        assert_eq!(members(&change::new_plugin("jwt-access-token", 0)), None);
    }
}
