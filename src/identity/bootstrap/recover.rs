//! Recovery of access to the Management API for the operator of the machine: a role with all of its scopes, assigned to
//! the application of the bootstrap report, which gets a new secret.
//!
//! The recovery must not give access to other parties: if the old role lacks the scope `all`, it creates a new role,
//! and it deletes secrets and keys that others may have added to the application after it lost its role.

use super::{BootstrapReport, CLIENT, Error, ManagementReport, ROLE, report};
use claimsmith_config::Config;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, RoleId};
use claimsmith_domain::management::{self, ALL};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::{DEFAULT_SECRET, hash};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::applications::{self, Application, ApplicationSecret};
use claimsmith_storage::resources::{self, Scope};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::{self as storage, Db, Slice, Tx, revisions, settings};
use serde_json::json;

/// The recovered application.
pub struct Recovered {
    /// The application; its secret is in the report.
    pub client_id: ApplicationId,
    /// The path of the report.
    pub report: std::path::PathBuf,
}

/// Creates or repairs the role and the application, and writes the report.
pub async fn recover(db: &Db, config: &Config, now: i64) -> Result<Recovered, Error> {
    let mut tx = UnitOfWork::begin(db, Actor::Operator, RequestOrigin::default(), now).await?;
    storage::lock_bootstrap(&mut tx).await?;
    if settings::get(&mut tx, super::DONE).await?.is_none() {
        return Err(Error::NotSetUp);
    }
    revisions::bump(&mut tx, Changed::All).await?;
    let path = report::path(&config.data_dir);
    let earlier = report::read(&path);
    let known = earlier.as_ref().and_then(|report| report.management_api.as_ref());
    let application = if let Some(known) = known { applications::find(&mut tx, &known.client_id).await? } else { None };
    let application = application.filter(|one| one.kind == ApplicationType::MachineToMachine);

    let all = all_of_management(&mut tx, config, now).await?;
    let role_id = role(&mut tx, &all, now).await?;
    let (client_id, client_secret) = if let Some(application) = application {
        add_secret(&mut tx, application, &all, now).await?
    } else {
        let made = super::create_application(&mut tx, CLIENT, ApplicationType::MachineToMachine, now).await?;
        (made.0, made.1.unwrap_or_default())
    };
    roles::assign_to_application(&mut tx, &client_id, &role_id).await?;
    tx.audit(AuditKey::AdminRecover, json!({ "changedApplicationId": client_id, "roleId": role_id })).await?;

    let made = BootstrapReport {
        base_url: config.server.base_url.as_str().to_owned(),
        listen: earlier.as_ref().map_or_else(|| config.server.listen.to_string(), |earlier| earlier.listen.clone()),
        management_api: Some(ManagementReport {
            resource: config.tokens.management_resource.clone(),
            client_id: client_id.clone(),
            client_secret,
        }),
        demo: earlier.and_then(|earlier| earlier.demo),
    };
    // Before the commit, as at the first start.
    report::write(&path, &made).map_err(|error| Error::Report { path: path.display().to_string(), error })?;
    tx.commit().await?;
    Ok(Recovered { client_id, report: path })
}

/// Returns the scope `all` of the Management API's resource; creates both if missing.
async fn all_of_management(tx: &mut Tx, config: &Config, now: i64) -> Result<Scope, Error> {
    let indicator = &config.tokens.management_resource;
    let resource_id = if let Some(resource) = resources::find_by_indicator(tx, indicator).await? {
        super::scopes::add_missing(tx, config, now).await?;
        resource.id
    } else {
        let ttl = i64::try_from(config.tokens.access_token_ttl.as_secs()).unwrap_or(3600);
        let name = "Claimsmith Management API";
        super::create_resource(tx, name, indicator, &management::SCOPES, ttl, now).await?;
        resources::find_by_indicator(tx, indicator).await?.map(|made| made.id).ok_or(Error::NotSetUp)?
    };
    let scopes = resources::scopes_of(tx, &resource_id).await?;
    scopes.into_iter().find(|scope| scope.name == ALL).ok_or(Error::NotSetUp)
}

/// Returns the bootstrap's role if it still has `all`, otherwise a new one with a variant of the name.
async fn role(tx: &mut Tx, all: &Scope, now: i64) -> Result<RoleId, Error> {
    let name = match roles::find_by_name(tx, ROLE).await? {
        Some(Role { id, .. }) if carries(tx, &id, all).await? => return Ok(id),
        Some(_) => format!("{ROLE} {}", random::id(8)?),
        None => ROLE.to_owned(),
    };
    super::create_role(tx, &name, RoleType::MachineToMachine, std::slice::from_ref(&all.id), now).await
}

async fn carries(tx: &mut Tx, role_id: &RoleId, all: &Scope) -> Result<bool, Error> {
    Ok(resources::scopes_of_role(tx, role_id).await?.iter().any(|scope| scope.id == all.id))
}

/// Adds a secret to an application, and deletes its other secrets and its keys, unless only administrators can have
/// created them.
async fn add_secret(
    tx: &mut Tx,
    mut application: Application,
    all: &Scope,
    now: i64,
) -> Result<(ApplicationId, String), Error> {
    let mut is_admin = false;
    for role in roles::holders::list_of_application(tx, &application.id, None, Slice::ALL).await? {
        is_admin |= carries(tx, &role.id, all).await?;
    }
    let metadata = &mut application.oidc_client_metadata.0;
    if metadata.token_endpoint_auth_method.is_some() || metadata.has_keys() {
        // No authentication method that would reject the new secret.
        metadata.token_endpoint_auth_method = None;
        if !is_admin {
            (metadata.jwks, metadata.jwks_uri) = (None, None);
        }
        applications::update(tx, &application).await?;
    }
    let mut names = Vec::new();
    for secret in applications::secrets_of(tx, &application.id).await? {
        if is_admin {
            names.push(secret.name);
        } else {
            applications::delete_secret(tx, &application.id, &secret.name).await?;
        }
    }
    let value = random::secret(32)?;
    let name = if names.iter().any(|name| name == DEFAULT_SECRET) {
        format!("Recovered {}", random::id(8)?)
    } else {
        DEFAULT_SECRET.to_owned()
    };
    let secret = ApplicationSecret {
        application_id: application.id,
        name,
        hash: hash(&value),
        created_at: now,
        expires_at: None,
    };
    applications::insert_secret(tx, &secret).await?;
    Ok((secret.application_id, value))
}
