//! `/api/configs/id-token`: the claims of ID tokens beside those of their scopes.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_token::IdTokenConfig;
use claimsmith_domain::management::{ConfigsRead, ConfigsWrite};
use claimsmith_services::tokens::user_claims;
use claimsmith_storage::settings;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Shows what id tokens hold: roles, organizations and organization roles before anybody configured it.
#[utoipa::path(
    get, path = "/api/configs/id-token", tag = "Configs", summary = "Show the claims of id tokens",
    responses(
        (status = 200, description = "The configuration", body = IdTokenConfig),
        AccessRefused,
    ),
)]
pub(super) async fn show_id_token(management: Management<ConfigsRead>) -> Result<Json<IdTokenConfig>, ApiError> {
    Ok(Json(user_claims::id_token_config(&mut management.read().await?).await?))
}

/// Replaces what id tokens hold.
#[utoipa::path(
    put, path = "/api/configs/id-token", tag = "Configs", summary = "Replace the claims of id tokens",
    request_body = IdTokenConfig,
    responses((status = 200, description = "The configuration", body = IdTokenConfig), BodyRefused, AccessRefused),
)]
pub(super) async fn replace_id_token(
    management: Management<ConfigsWrite>,
    JsonBody(body): JsonBody<IdTokenConfig>,
) -> Result<Json<IdTokenConfig>, ApiError> {
    let config = IdTokenConfig { enabled_extended_claims: Some(body.enabled_extended_claims.unwrap_or_default()) };
    let mut tx = management.begin().await?;
    settings::put(&mut tx, user_claims::ID_TOKEN_SETTING, &serde_json::to_string(&config)?).await?;
    let details = json!({ "enabledExtendedClaims": config.enabled_extended_claims });
    tx.audit(AuditKey::ManagementConfigIdTokenUpdate, details).await?;
    tx.commit().await?;
    Ok(Json(config))
}
