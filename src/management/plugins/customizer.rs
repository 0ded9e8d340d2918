//! `/api/configs/jwt-customizer`: token scripts, by the API of the reference service that existing tools use. Each is
//! an uploaded plugin with a reserved name, and has versions, a log and an order like any other.

use super::candidate::compile_and_test;
use super::change::{IfMatch, PluginChange, publish};
use super::refusal::not_compiled;
use super::upload_body::Upload;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchId, NotAccepted, NotCompiled, NotThere};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::management::{PluginsRead, PluginsWrite, Recent};
use claimsmith_runtime::{Kind, Language, Manifest, OnError, TokenKind};
use claimsmith_services::deployments::change;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_storage::{Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::SourceBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The scripts: the name in the path, the name in the list, the plugin, and the kind of tokens that it runs for.
const SCRIPTS: [(&str, &str, &str, TokenKind); 2] = [
    ("access-token", "jwt.accessToken", "jwt-access-token", TokenKind::AccessToken),
    ("client-credentials", "jwt.clientCredentials", "jwt-client-credentials", TokenKind::ClientCredentials),
];

/// A token script with all that belongs to it.
#[derive(Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "script": "const getCustomJwtClaims = async ({ environmentVariables: { REGION } }) => ({ region: REGION });",
    "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true,
    "contextSample": {
        "user": { "id": "q3v8k1znw2pd", "customData": { "plan": "gold" } },
        "interaction": {
            "interactionEvent": "SignIn", "userId": "q3v8k1znw2pd",
            "verificationRecords": [{
                "id": "mwr9bcthv9ceak89kz99b", "type": "Password",
                "identifier": { "type": "username", "value": "casey" }, "verified": true
            }]
        }
    }
}))]
pub(super) struct Customizer {
    /// Defines a function `getCustomJwtClaims`.
    #[schema(value_type = String)]
    script: Text<1, 1_000_000>,
    /// Its variables; the values are `********` for a caller without `plugins:write`.
    #[serde(skip_serializing_if = "Option::is_none")]
    environment_variables: Option<BTreeMap<String, String>>,
    /// For consoles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    context_sample: Option<Map<String, Value>>,
    /// For consoles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    token_sample: Option<Map<String, Value>>,
    /// Whether no token is issued when the script fails. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_issuance_on_error: Option<bool>,
}

/// A script with its key.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "key": "jwt.accessToken",
    "value": {
        "script": "const getCustomJwtClaims = async ({ environmentVariables: { REGION } }) => ({ region: REGION });",
        "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true
    }
}))]
pub(super) struct KeyedCustomizer {
    /// `jwt.accessToken` or `jwt.clientCredentials`.
    key: &'static str,
    value: Customizer,
}

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
    get, path = "/api/configs/jwt-customizer", tag = "Token scripts", summary = "List token scripts",
    responses((status = 200, description = "The scripts", body = Vec<KeyedCustomizer>), AccessRefused),
)]
pub(super) async fn list_customizers(
    management: Management<PluginsRead>,
) -> Result<Json<Vec<KeyedCustomizer>>, ApiError> {
    let mut tx = management.read().await?;
    let mut found = Vec::new();
    for (_, key, plugin, _) in SCRIPTS {
        if let Some(value) = stored(&mut tx, plugin).await? {
            let value = value.shown_to(&management);
            found.push(KeyedCustomizer { key, value });
        }
    }
    Ok(Json(found))
}

/// Shows a script.
#[utoipa::path(
    get, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts", summary = "Show a token script",
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
    let value = value.map(|value| value.shown_to(&management));
    value.map(Json).ok_or_else(|| ApiError::not_found("token script", &path))
}

/// Sets a script. It is compiled and tried first.
#[utoipa::path(
    put, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts", summary = "Set a token script",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    request_body = Customizer,
    responses(
        (status = 200, description = "It replaced one", body = Customizer),
        (status = 201, description = "It is the first", body = Customizer),
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

/// Changes a script: members that are given replace those that are stored. `script` must be given.
#[utoipa::path(
    patch, path = "/api/configs/jwt-customizer/{tokenTypePath}", tag = "Token scripts", summary = "Change a token script",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    request_body = Customizer,
    responses(
        (status = 200, description = "The script", body = Customizer),
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
    summary = "Delete a token script",
    params(("tokenTypePath" = String, Path, description = "`access-token` or `client-credentials`")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 400, description = "No such kind of token", body = ApiErrorBody),
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

impl Customizer {
    /// With `********` for the values of variables, if the caller may not write them.
    fn shown_to(mut self, caller: &Caller) -> Self {
        if !caller.holds::<PluginsWrite>() {
            let variables = self.environment_variables.iter_mut().flatten();
            variables.for_each(|(_, value)| HIDDEN.clone_into(value));
        }
        self
    }

    /// These members, completed by the previous ones.
    fn over(self, before: Self) -> Self {
        Self {
            script: self.script,
            environment_variables: self.environment_variables.or(before.environment_variables),
            context_sample: self.context_sample.or(before.context_sample),
            token_sample: self.token_sample.or(before.token_sample),
            block_issuance_on_error: self.block_issuance_on_error.or(before.block_issuance_on_error),
        }
    }
}

async fn save(management: &Caller, name: &str, kind: TokenKind, given: CustomizerChange) -> Result<Response, ApiError> {
    let (CustomizerChange::All(body) | CustomizerChange::Some(body)) = &given;
    let upload = Upload {
        place: management.app.plugins.compiler().place().map_err(not_compiled)?,
        language: Language::JavaScript,
        source: String::from(body.script.clone()).into_bytes().into(),
        manifest: None,
        cases: None,
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
            body.over(serde_json::from_value(before)?)
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
    let details = json!({ "plugin": name, "version": version.id.to_string(), "digest": version.digest });
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
