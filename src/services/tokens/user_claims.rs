//! Reads the user's claims for the granted scopes, for the userinfo endpoint and for ID tokens.

use super::error::Error;
use claimsmith_domain::documents::application::CustomClientMetadata;
use claimsmith_domain::documents::id_token::IdTokenConfig;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::scope::contains;
use claimsmith_domain::user_claims::{OrganizationData, UserData, is_part_of};
use claimsmith_domain::user_scope::{GROUPS, ORGANIZATION_ROLES, ORGANIZATIONS, ROLES};
use claimsmith_runtime::json;
use claimsmith_storage::users::User;
use claimsmith_storage::{self as storage, Document as _, Json, Tx, organizations, roles, settings};
use serde_json::{Map, Value};

/// The claims of the granted scopes, as at the userinfo endpoint; without `sub`. `chosen`: the organizations that the
/// user allowed a third party to see; `None` includes all, for the operator's own applications.
pub async fn granted(
    tx: &mut Tx,
    user: &User,
    scope: &str,
    chosen: Option<&[OrganizationId]>,
) -> storage::Result<Map<String, Value>> {
    let is_told = |id: &OrganizationId| chosen.is_none_or(|chosen| chosen.contains(id));
    let has_groups = contains(scope, GROUPS);
    let roles = if has_groups || contains(scope, ROLES) { roles::of_user(tx, &user.id).await? } else { Vec::new() };
    let organizations =
        if contains(scope, ORGANIZATIONS) { organizations::of_user(tx, &user.id).await? } else { Vec::new() };
    let organization_roles = if has_groups || contains(scope, ORGANIZATION_ROLES) {
        organizations::roles_of_user(tx, &user.id).await?
    } else {
        Vec::new()
    };
    let roles: Vec<String> = roles.into_iter().map(|role| role.name).collect();
    let organizations: Vec<OrganizationData> = organizations
        .into_iter()
        .filter(|one| is_told(&one.id))
        .map(|one| OrganizationData { id: one.id.into(), name: one.name, description: one.description })
        .collect();
    let organization_roles: Vec<String> = organization_roles
        .into_iter()
        .filter(|role| is_told(&role.organization_id))
        .map(|role| format!("{}:{}", role.organization_id.as_str(), role.role_name))
        .collect();
    let data = UserData {
        username: user.username.as_deref(),
        name: user.name.as_deref(),
        avatar: user.avatar.as_deref(),
        email: user.primary_email.as_deref(),
        phone: user.primary_phone.as_deref(),
        profile: &user.profile.0,
        custom_data: readable(&user.custom_data),
        identities: readable(&user.identities),
        created_at: user.created_at,
        updated_at: user.updated_at,
        roles: &roles,
        organizations: &organizations,
        organization_roles: &organization_roles,
    };
    Ok(data.claims(scope))
}

/// Null for a document that cannot be read.
fn readable(stored: &Json<Value>) -> &Value {
    if stored.is_unreadable() { &Value::Null } else { &stored.0 }
}

/// Those of them that are in an ID token, too: the extended ones that `PUT /api/configs/id-token` enabled, and what the
/// application chose (`docs/decisions/user-claims.md`).
pub async fn in_id_token(
    tx: &mut Tx,
    user: &User,
    scope: &str,
    chosen: Option<&[OrganizationId]>,
    metadata: &CustomClientMetadata,
    config: &IdTokenConfig,
) -> Result<Map<String, Value>, Error> {
    let mut claims = granted(tx, user, scope, chosen).await?;
    let parts = metadata.id_token_claims.iter().flatten();
    claims.retain(|name, _| config.enables(name) || parts.clone().any(|part| is_part_of(name, *part)));
    Ok(claims)
}

/// The configuration of ID tokens.
pub async fn id_token_config(tx: &mut Tx) -> Result<IdTokenConfig, Error> {
    read_config(settings::get(tx, settings::ID_TOKENS).await?.as_deref())
}

/// The configuration of ID tokens as it is stored, if it is.
pub fn read_config(stored: Option<&str>) -> Result<IdTokenConfig, Error> {
    let Some(stored) = stored else { return Ok(IdTokenConfig::initial()) };
    json::read(stored, json::STORED).map_err(|_| Error::Corrupt("configuration of id tokens"))
}
