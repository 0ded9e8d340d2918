//! `/api/plugins/{name}/secrets`: secrets are written, listed by name and deleted, never read. The plugin reads them
//! among its `environmentVariables`.

use super::change::{IfMatch, PluginChange, publish};
use crate::refusals::{AccessRefused, BodyRefused, NotChanged, NotThere};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::plugins::{PluginSecretView, PutSecret};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{ByAdmins, PluginsRead, PluginsWrite, Recent};
use claimsmith_services::deployments::change;
use claimsmith_storage::plugins;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Lists the secrets of a plugin by name.
#[utoipa::path(
    get, path = "/api/plugins/{name}/secrets", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        (status = 200, description = "The names", body = Vec<PluginSecretView>),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn list_secrets(
    management: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Json<Vec<PluginSecretView>>, ApiError> {
    let mut tx = management.read().await?;
    plugins::find(&mut tx, &name).await?.ok_or_else(|| ApiError::not_found("plugin", &name))?;
    let secrets = plugins::secrets::list(&mut tx, &name).await?;
    let view =
        |secret: plugins::secrets::PluginSecret| PluginSecretView { name: secret.name, updated_at: secret.updated_at };
    Ok(Json(secrets.into_iter().map(view).collect()))
}

/// Sets a secret of a plugin.
///
/// No answer ever shows its value.
#[utoipa::path(
    put, path = "/api/plugins/{name}/secrets/{secret}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("secret" = String, Path, description = "Its name"), IfMatch),
    request_body = PutSecret,
    responses(
        (status = 204, description = "It is set"),
        BodyRefused, AccessRefused, NotThere, NotChanged,
        (status = 422, description = "The name is not a valid variable name, or in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn put_secret(
    management: Management<Recent<ByAdmins<PluginsWrite>>>,
    IdPair(name, secret): IdPair,
    seen: IfMatch,
    JsonBody(body): JsonBody<PutSecret>,
) -> Result<StatusCode, ApiError> {
    if secret.is_empty() || secret.contains('=') {
        return Err(ApiError::new(ApiCode::PluginInvalidSecretName, "This is not a valid variable name."));
    }
    let value = String::from(body.value);
    let sealed = change::encrypt_secret(&management.app.cipher, &name, &secret, &value, management.now())?;
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    if change::settings(&plugin)?.environment.contains_key(&secret) {
        let message = "A variable of the plugin's environment already has this name.";
        return Err(ApiError::new(ApiCode::PluginSecretNameInUse, message));
    }
    plugins::secrets::put(&mut tx, &sealed).await?;
    change::save(&mut tx, &mut plugin, management.now()).await?;
    tx.audit(AuditKey::ManagementPluginSetSecret, json!({ "plugin": name, "secret": secret })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a secret of a plugin.
#[utoipa::path(
    delete, path = "/api/plugins/{name}/secrets/{secret}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("secret" = String, Path, description = "Its name"), IfMatch),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused, NotThere, NotChanged,
    ),
)]
pub(super) async fn delete_secret(
    management: Management<Recent<ByAdmins<PluginsWrite>>>,
    IdPair(name, secret): IdPair,
    seen: IfMatch,
) -> Result<StatusCode, ApiError> {
    let (mut tx, mut plugin) = PluginChange::begin_existing(&management, &name, &seen).await?;
    if !plugins::secrets::delete(&mut tx, &name, &secret).await? {
        return Err(ApiError::nothing_to_delete("secret", &secret));
    }
    change::save(&mut tx, &mut plugin, management.now()).await?;
    tx.audit(AuditKey::ManagementPluginDeleteSecret, json!({ "plugin": name, "secret": secret })).await?;
    publish(&management, tx).await?;
    Ok(StatusCode::NO_CONTENT)
}
