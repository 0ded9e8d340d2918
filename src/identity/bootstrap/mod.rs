//! The first start: writes the signing keys, the Management API with an application for it, and optionally demo data to
//! an empty database. If several nodes start at once, one of them does it.

mod console;
pub mod console_link;
pub mod demo;
mod demo_application;
mod encryption_key;
mod recover;
mod recover_administrator;
pub mod report;
mod scopes;
pub mod served;
mod signing_keys;

use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{ApplicationId, RoleId, ScopeId};
pub use encryption_key::{EncryptionKeyError, cipher, has_key_file};
pub use recover::{Recovered, recover};
pub use recover_administrator::{RecoveredAdministrator, recover_administrator};
pub use report::{BootstrapReport, DemoReport, ManagementReport};

use claimsmith_config::{Config, ConfigError};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::management;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_services::audit::Actor;
use claimsmith_services::encryption::Cipher;
use claimsmith_services::passwords::PasswordError;
use claimsmith_services::tokens::{self, Algorithm, hash, keys};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks;
use claimsmith_storage::applications::{self, Application, ApplicationSecret};
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::{self as storage, Db, Json, Tx, settings};
use serde_json::json;

const DONE: &str = "bootstrap";
const DEMO: &str = "demo";

const ROLE: &str = "Management API access";
const CLIENT: &str = "Management API client";

/// The reason that a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The secrets of demo data were printed on a terminal, so they must not be used on a public server.
    #[error(
        "the database contains demo data, and base_url is not a loopback address: use another database, or allow it with --demo"
    )]
    DemoInPublic,
    /// See [`storage::Error`].
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// See [`keys::Error`].
    #[error(transparent)]
    Keys(#[from] keys::Error),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// A password of the demo data could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The audit entry could not be written.
    #[error(transparent)]
    Audit(#[from] webhooks::Error),
    /// The database was never set up, so there is nothing to recover.
    #[error("the database is not set up yet: start the server once, which creates an administrator")]
    NotSetUp,
    /// This version's server was not started on the database yet: only the server adds what is built in.
    #[error("the database was last used by an older version: start the server once")]
    OlderVersion,
    /// The configuration of a command names another server than the one of the database.
    #[error(transparent)]
    OtherServer(#[from] ConfigError),
    /// The Management API and the console would be one resource.
    #[error("tokens.management_resource is {0}, the console's own resource: choose another one")]
    ConsoleResource(String),
    /// The user to recover does not exist.
    #[error("there is no user with the id, user name or address {0:?}")]
    UnknownUser(String),
    /// The user could not be changed.
    #[error("the user cannot be changed: {0:?}")]
    Account(Box<crate::accounts::AccountRefusal>),
    /// The report could not be written.
    #[error("cannot write {path}: {error}")]
    Report {
        /// The path of the report.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
}

/// Sets up an empty database, and returns what was created, with the secrets, which are shown only once. `None` if it
/// was already set up.
pub async fn run(db: &Db, cipher: &Cipher, config: &Config, now: i64) -> Result<Option<BootstrapReport>, Error> {
    let made = signing_keys::make_missing(db, cipher, config, now).await?;
    let passwords = make_passwords(db, config).await?;
    let mut tx = UnitOfWork::begin(db, Actor::Server, RequestOrigin::default(), now).await?;
    storage::lock_bootstrap(&mut tx).await?;
    let has_demo = has_demo(&mut tx).await?;
    refuse_public_demo(has_demo, config)?;
    let is_stored = served::store(&mut tx, config).await?;
    let management = if settings::get(&mut tx, DONE).await?.is_some() {
        None
    } else {
        let made = create_management(&mut tx, config, now).await?;
        settings::put(&mut tx, DONE, "1").await?;
        Some(made)
    };
    let demo = match passwords {
        Some(passwords) if !has_demo => {
            settings::put(&mut tx, DEMO, "1").await?;
            Some(demo::create(&mut tx, config, passwords, now).await?)
        }
        _ => None,
    };
    let path = report::path(&config.data_dir);
    let earlier = report::read(&path);
    let known = (
        demo.as_ref()
            .or(earlier.as_ref().and_then(|earlier| earlier.demo.as_ref()))
            .filter(|_| has_demo || demo.is_some()),
        management.as_ref().or(earlier.as_ref().and_then(|earlier| earlier.management_api.as_ref())),
    );
    let is_registered = demo_application::add_missing(&mut tx, config, known).await?;
    let scopes = scopes::add_missing(&mut tx, config, now).await?;
    let keys = signing_keys::add_missing(&mut tx, made, now).await?;
    let console = console::add_missing(&mut tx, config, now).await?;
    let is_added = is_registered || !scopes.is_empty() || !keys.is_empty() || !console.is_empty();
    if management.is_none() && demo.is_none() && !is_added {
        if is_stored {
            tx.commit().await?;
        }
        return Ok(None);
    }
    let details = json!({
        "demo": demo.is_some(), "demoApplication": is_registered, "scopes": scopes, "signingKeys": keys,
        "console": console,
    });
    tx.audit(AuditKey::Bootstrap, details).await?;
    if management.is_none() && demo.is_none() {
        tx.commit().await?;
        return Ok(None);
    }

    let made = BootstrapReport {
        base_url: config.server.base_url.as_str().to_owned(),
        listen: config.server.listen.to_string(),
        management_api: management.or_else(|| earlier.and_then(|earlier| earlier.management_api)),
        demo,
    };
    // Before the commit: otherwise a failed write would leave secrets in the database that the operator never gets.
    report::write(&path, &made).map_err(|error| Error::Report { path: path.display().to_string(), error })?;
    tx.commit().await?;
    Ok(Some(made))
}

/// Refuses to serve demo data, whose passwords were printed, at a public base URL unless that is configured.
pub fn refuse_public_demo(has_demo: bool, config: &Config) -> Result<(), Error> {
    let is_allowed = config.server.base_url.is_loopback() || config.bootstrap.demo == Some(true);
    if has_demo && !is_allowed { Err(Error::DemoInPublic) } else { Ok(()) }
}

/// Whether a server has set this database up.
pub async fn is_set_up(tx: &mut Tx) -> storage::Result<bool> {
    Ok(settings::get(tx, DONE).await?.is_some())
}

/// Whether the database contains demo data.
pub async fn has_demo(tx: &mut Tx) -> storage::Result<bool> {
    Ok(settings::get(tx, DEMO).await?.is_some())
}

/// Updates the addresses in the report. The rest of it never changes.
pub fn update_addresses(config: &Config, listen: std::net::SocketAddr) -> Result<(), Error> {
    let path = report::path(&config.data_dir);
    let Some(mut found) = report::read(&path) else { return Ok(()) };
    listen.to_string().clone_into(&mut found.listen);
    config.server.base_url.as_str().clone_into(&mut found.base_url);
    if let Some(management) = &mut found.management_api {
        management.resource.clone_from(&config.tokens.management_resource);
    }
    report::write(&path, &found).map_err(|error| Error::Report { path: path.display().to_string(), error })
}

/// Creates the passwords of the demo data, if the demo data are to be created now.
async fn make_passwords(db: &Db, config: &Config) -> Result<Option<demo::DemoPasswords>, Error> {
    let mut tx = db.read().await?;
    let is_new = !is_set_up(&mut tx).await?;
    let is_wanted = !has_demo(&mut tx).await? && wants_demo(config, is_new);
    drop(tx);
    Ok(if is_wanted { Some(demo::DemoPasswords::make().await?) } else { None })
}

/// Whether to create demo data: if configured, or by default for a new embedded database of a server that only this
/// machine can reach.
fn wants_demo(config: &Config, is_new: bool) -> bool {
    let local = config.server.listen.ip().is_loopback() && config.server.base_url.is_loopback();
    config.bootstrap.demo.unwrap_or(is_new && local && config.database.url.is_embedded())
}

/// The algorithm of access tokens.
#[must_use]
pub fn algorithm(config: &Config) -> Algorithm {
    Algorithm::from(config.tokens.signing_algorithm)
}

/// Creates the Management API's resource with its scopes, a role with `all`, and an application with the role.
async fn create_management(tx: &mut Tx, config: &Config, now: i64) -> Result<ManagementReport, Error> {
    let resource = config.tokens.management_resource.clone();
    let ttl = i64::try_from(config.tokens.access_token_ttl.as_secs()).unwrap_or(3600);
    let scope_ids = create_resource(tx, "Claimsmith Management API", &resource, &management::SCOPES, ttl, now).await?;
    let role = create_role(tx, ROLE, RoleType::MachineToMachine, &scope_ids[..1], now).await?;
    let (client_id, client_secret) = create_application(tx, CLIENT, ApplicationType::MachineToMachine, now).await?;
    roles::assign_to_application(tx, &client_id, &role).await?;
    Ok(ManagementReport { resource, client_id, client_secret: client_secret.unwrap_or_default() })
}

/// Adds a resource with scopes; returns the scopes' ids in the same order.
async fn create_resource(
    tx: &mut Tx,
    name: &str,
    indicator: &str,
    scopes: &[(&str, &str)],
    access_token_ttl: i64,
    now: i64,
) -> Result<Vec<ScopeId>, Error> {
    let resource = Resource {
        id: random::id(21)?.into(),
        name: name.to_owned(),
        indicator: indicator.to_owned(),
        is_default: false,
        access_token_ttl,
        created_at: now,
    };
    resources::insert(tx, &resource).await?;
    let mut ids = Vec::new();
    for (name, description) in scopes {
        let scope = Scope {
            id: random::id(21)?.into(),
            resource_id: resource.id.clone(),
            name: (*name).to_owned(),
            description: Some((*description).to_owned()),
            created_at: now,
        };
        resources::insert_scope(tx, &scope).await?;
        ids.push(scope.id);
    }
    Ok(ids)
}

/// Adds a role with scopes, for users or for machine-to-machine applications; returns its id.
async fn create_role(
    tx: &mut Tx,
    name: &str,
    kind: RoleType,
    scope_ids: &[ScopeId],
    now: i64,
) -> Result<RoleId, Error> {
    let role = Role {
        id: random::id(21)?.into(),
        name: name.to_owned(),
        description: name.to_owned(),
        kind,
        is_default: false,
        created_at: now,
    };
    roles::insert(tx, &role).await?;
    for scope_id in scope_ids {
        roles::add_scope(tx, &role.id, scope_id).await?;
    }
    Ok(role.id)
}

/// Adds an application, with a secret unless it is a public client; returns its id and the secret.
async fn create_application(
    tx: &mut Tx,
    name: &str,
    kind: ApplicationType,
    now: i64,
) -> Result<(ApplicationId, Option<String>), Error> {
    let exchanges = kind != ApplicationType::MachineToMachine;
    let application = Application {
        id: random::id(21)?.into(),
        name: name.to_owned(),
        description: None,
        kind,
        oidc_client_metadata: Json(OidcClientMetadata::default()),
        custom_client_metadata: Json(CustomClientMetadata {
            allow_token_exchange: exchanges.then_some(true),
            ..CustomClientMetadata::default()
        }),
        custom_data: Json(json!({})),
        is_third_party: false,
        app_level_access_control_enabled: false,
        created_at: now,
    };
    applications::insert(tx, &application).await?;
    if !kind.is_confidential() {
        return Ok((application.id, None));
    }
    let value = random::secret(32)?;
    let secret = ApplicationSecret {
        application_id: application.id.clone(),
        name: tokens::DEFAULT_SECRET.to_owned(),
        hash: hash(&value),
        created_at: now,
        expires_at: None,
    };
    applications::insert_secret(tx, &secret).await?;
    Ok((application.id, Some(value)))
}
