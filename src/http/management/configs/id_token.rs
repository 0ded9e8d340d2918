//! `/api/configs/id-token`: which claims id tokens have beside those of their scopes.

use crate::domain::management::{ConfigsRead, ConfigsWrite};
use crate::domain::present::present;
use crate::http::error::ApiError;
use crate::http::extract::json::JsonBody;
use crate::http::extract::management::Management;
use crate::http::management::refusals::{BodyRefused, Refused};
use crate::storage::settings;
use axum::Json;
use claimsmith_runtime::json;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// The setting that holds it.
const SETTING: &str = "config.id_token";

/// What id tokens hold.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "enabledExtendedClaims": ["roles", "organizations"] }))]
pub(super) struct IdTokenConfig {
    /// Claims that otherwise stand in the answer of the userinfo endpoint alone. None when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<ExtendedClaim>, required = false)]
    enabled_extended_claims: Option<BTreeSet<ExtendedClaim>>,
}

impl IdTokenConfig {
    /// What id tokens hold before anybody configured it.
    fn initial() -> Self {
        use ExtendedClaim::{OrganizationRoles, Organizations, Roles};
        Self { enabled_extended_claims: Some(BTreeSet::from([Roles, Organizations, OrganizationRoles])) }
    }
}

/// A claim that is more than a profile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ExtendedClaim {
    /// The integrator's own data.
    CustomData,
    /// Linked social identities.
    Identities,
    /// Linked enterprise identities.
    SsoIdentities,
    /// Names of roles.
    Roles,
    /// Ids of organizations.
    Organizations,
    /// Names of organizations.
    OrganizationData,
    /// Roles in organizations.
    OrganizationRoles,
}

/// Shows what id tokens hold: roles, organizations and organization roles before anybody configured it.
#[utoipa::path(
    get, path = "/api/configs/id-token", tag = "Configs", summary = "Show the claims of id tokens",
    responses(
        (status = 200, description = "The configuration", body = IdTokenConfig),
        Refused,
    ),
)]
pub(super) async fn show_id_token(management: Management<ConfigsRead>) -> Result<Json<IdTokenConfig>, ApiError> {
    let stored = settings::get(&mut management.read().await?, SETTING).await?;
    let config = stored.map(|stored| json::read(&stored, json::STORED)).transpose()?;
    Ok(Json(config.unwrap_or_else(IdTokenConfig::initial)))
}

/// Replaces what id tokens hold.
#[utoipa::path(
    put, path = "/api/configs/id-token", tag = "Configs", summary = "Replace the claims of id tokens",
    request_body = IdTokenConfig,
    responses((status = 200, description = "The configuration", body = IdTokenConfig), BodyRefused, Refused),
)]
pub(super) async fn replace_id_token(
    management: Management<ConfigsWrite>,
    JsonBody(body): JsonBody<IdTokenConfig>,
) -> Result<Json<IdTokenConfig>, ApiError> {
    let config = IdTokenConfig { enabled_extended_claims: Some(body.enabled_extended_claims.unwrap_or_default()) };
    let mut tx = management.begin().await?;
    settings::put(&mut tx, SETTING, &serde_json::to_string(&config)?).await?;
    let details = json!({ "enabledExtendedClaims": config.enabled_extended_claims });
    tx.audit("Management.Config.IdToken.Update", details).await?;
    tx.commit().await?;
    Ok(Json(config))
}
