//! Built-in resources of the console: its API resource with four scopes, a role for each scope, and the server's own
//! applications. Each start creates what is missing, also in a database of an older version, and corrects what differs,
//! for example after a change of the base URL.

use super::Error;
use claimsmith_config::Config;
use claimsmith_domain::console::{BuiltInClient, ConsoleRole, built_in};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, ResourceId, RoleId, ScopeId};
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::{Json, Tx};
use serde_json::json;

/// Creates what is missing and corrects what differs; returns the ids of the created and corrected objects.
pub(super) async fn add_missing(tx: &mut Tx, config: &Config, now: i64) -> Result<Vec<String>, Error> {
    let mut changed = Vec::new();
    let indicator = built_in::resource(config.server.base_url.as_str());
    if indicator == config.tokens.management_resource {
        return Err(Error::ConsoleResource(indicator));
    }
    add_resource(tx, indicator, now, &mut changed).await?;
    for role in ConsoleRole::ALL {
        add_role(tx, role, now, &mut changed).await?;
    }
    for client in BuiltInClient::ALL {
        add_application(tx, client, config, now, &mut changed).await?;
    }
    if !changed.is_empty() {
        revisions::bump(tx, Changed::All).await?;
        tracing::info!(changed = changed.join(" "), "created or corrected built-in console resources");
    }
    Ok(changed)
}

async fn add_resource(tx: &mut Tx, indicator: String, now: i64, changed: &mut Vec<String>) -> Result<(), Error> {
    let id = ResourceId::from(built_in::RESOURCE_ID);
    let known = resources::find(tx, &id).await?;
    if known.as_ref().is_none_or(|known| known.indicator != indicator) {
        // An operator's resource with this indicator gets another one: its scopes must not grant access to the console.
        if let Some(other) = resources::find_by_indicator(tx, &indicator).await? {
            let moved = format!("{indicator}/{}", other.id);
            resources::set_indicator(tx, &other.id, &moved).await?;
            tracing::warn!(resource = %other.id, indicator = moved, "a resource had the console's indicator: it has another one now");
        }
        changed.push(id.to_string());
    }
    match known {
        Some(known) if known.indicator == indicator => {}
        Some(_) => resources::set_indicator(tx, &id, &indicator).await?,
        None => {
            let resource = Resource {
                id: id.clone(),
                name: "Claimsmith console".to_owned(),
                indicator,
                is_default: false,
                access_token_ttl: built_in::ACCESS_TOKEN_TTL,
                created_at: now,
            };
            resources::insert(tx, &resource).await?;
        }
    }
    for role in ConsoleRole::ALL {
        let scope_id = ScopeId::from(role.scope_id());
        if resources::find_scope(tx, &scope_id).await?.is_none() {
            let scope = Scope {
                id: scope_id,
                resource_id: id.clone(),
                name: role.scope().to_owned(),
                description: Some(role.about().to_owned()),
                created_at: now,
            };
            resources::insert_scope(tx, &scope).await?;
            changed.push(scope.id.to_string());
        }
    }
    Ok(())
}

async fn add_role(tx: &mut Tx, role: ConsoleRole, now: i64, changed: &mut Vec<String>) -> Result<(), Error> {
    let id = RoleId::from(role.role_id());
    if roles::find(tx, &id).await?.is_none() {
        // Role names are unique: an operator's role with this name is renamed.
        if let Some(mut other) = roles::find_by_name(tx, role.role_name()).await? {
            other.name = format!("{} ({})", other.name, other.id);
            roles::update(tx, &other).await?;
        }
        let made = Role {
            id: id.clone(),
            name: role.role_name().to_owned(),
            description: role.about().to_owned(),
            kind: RoleType::User,
            is_default: false,
            created_at: now,
        };
        roles::insert(tx, &made).await?;
        changed.push(id.to_string());
    }
    let carried = resources::scopes_of_role(tx, &id).await?;
    if !carried.iter().any(|scope| scope.id == role.scope_id()) {
        roles::add_scope(tx, &id, &ScopeId::from(role.scope_id())).await?;
    }
    Ok(())
}

async fn add_application(
    tx: &mut Tx,
    client: BuiltInClient,
    config: &Config,
    now: i64,
    changed: &mut Vec<String>,
) -> Result<(), Error> {
    let (kind, oidc, custom) = settings(client, config);
    let id = ApplicationId::from(client.id());
    if let Some(mut known) = applications::find(tx, &id).await? {
        if known.oidc_client_metadata.0 != oidc || known.custom_client_metadata.0 != custom {
            (known.oidc_client_metadata, known.custom_client_metadata) = (Json(oidc), Json(custom));
            applications::update(tx, &known).await?;
            changed.push(id.to_string());
        }
        return Ok(());
    }
    let application = Application {
        id: id.clone(),
        name: client.name().to_owned(),
        description: None,
        kind,
        oidc_client_metadata: Json(oidc),
        custom_client_metadata: Json(custom),
        custom_data: Json(json!({})),
        is_third_party: false,
        app_level_access_control_enabled: false,
        created_at: now,
    };
    applications::insert(tx, &application).await?;
    changed.push(id.to_string());
    Ok(())
}

/// The settings of the built-in clients. Both are public clients with PKCE, without a secret that could leak: the
/// console redeems its codes within this process, and the command line runs on users' own machines.
fn settings(client: BuiltInClient, config: &Config) -> (ApplicationType, OidcClientMetadata, CustomClientMetadata) {
    let console = built_in::resource(config.server.base_url.as_str());
    match client {
        BuiltInClient::Console => {
            let metadata = OidcClientMetadata {
                redirect_uris: vec![format!("{console}/callback")],
                post_logout_redirect_uris: vec![console],
                ..OidcClientMetadata::default()
            };
            (ApplicationType::Spa, metadata, CustomClientMetadata::default())
        }
        BuiltInClient::CommandLine => {
            let metadata = CustomClientMetadata { is_device_flow: Some(true), ..CustomClientMetadata::default() };
            (ApplicationType::Native, OidcClientMetadata::default(), metadata)
        }
    }
}
