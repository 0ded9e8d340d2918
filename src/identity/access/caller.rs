//! The caller of the Management API, and its rights: a machine by the scope of its token
//! (`docs/decisions/management-api-authorization.md`), or an administrator by console roles
//! (`docs/decisions/people-who-administer.md`).

use super::AccessRefusal;
use super::administrator::AuthenticatedAdministrator;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::{BuiltInClient, roles};
use claimsmith_domain::management::{self, ManagementScope};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random::RandomError;
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::messages::MessageRequester;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::audit::StoredAuditEntry;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{self as storage, Tx};
use serde_json::Value;
use std::net::IpAddr;

/// A caller who may use the route, whatever its scope.
pub struct Caller {
    /// The server's parts.
    pub app: App,
    actor: Actor,
    rights: Rights,
    origin: RequestOrigin,
}

/// What authorizes the caller.
pub enum Rights {
    /// By the scope of a token.
    Scope(String),
    /// By console roles.
    Person(AuthenticatedAdministrator),
}

impl Caller {
    /// An authenticated caller.
    #[must_use]
    pub fn new(app: App, actor: Actor, rights: Rights, origin: RequestOrigin) -> Self {
        Self { app, actor, rights, origin }
    }

    /// Begins a transaction that writes. To be called when the body is read and checked, not before.
    pub async fn begin(&self) -> storage::Result<UnitOfWork> {
        self.app.backpressure.pass().await;
        UnitOfWork::begin(&self.app.db, self.actor.clone(), self.origin.clone(), self.now()).await
    }

    /// The audit entry of a change that is written by the group commit, with this time: Unix milliseconds.
    pub fn audit_entry(&self, key: AuditKey, details: Value, now: i64) -> Result<StoredAuditEntry, RandomError> {
        Entry::success(key, details).by(&self.actor).from(&self.origin).at(now)
    }

    /// Begins a transaction that changes authorization data. It increments the revision first, so that concurrent
    /// changes wait for each other there, and cannot deadlock on rows in opposite orders.
    pub async fn begin_revision(&self, changed: Changed<'_>) -> storage::Result<UnitOfWork> {
        let mut tx = self.begin().await?;
        revisions::bump(&mut tx, changed).await?;
        Ok(tx)
    }

    /// Whether the caller has all rights on the Management API: only such callers may grant them. An administrator in
    /// the console has; the command line never does.
    #[must_use]
    pub fn holds_all(&self) -> bool {
        match &self.rights {
            Rights::Scope(scope) => management::allows(scope, management::ALL),
            Rights::Person(person) => person.is_admin() && person.client == BuiltInClient::Console,
        }
    }

    /// Whether the caller may change users who administer, and say who does: by `all`, or as an administrator.
    #[must_use]
    pub fn administers(&self) -> bool {
        match &self.rights {
            Rights::Scope(_) => self.holds_all(),
            Rights::Person(person) => person.is_admin(),
        }
    }

    /// Whether the caller has this scope beside the one of the route.
    #[must_use]
    pub fn holds<S: ManagementScope>(&self) -> bool {
        match &self.rights {
            Rights::Scope(scope) => management::allows(scope, S::NAME),
            Rights::Person(person) => {
                let is_recent = !roles::needs_recent_sign_in(S::NAME) || person.is_recent(self.now());
                person.roles.stand_for(S::NAME) && is_recent
            }
        }
    }

    /// Refuses a person whose sign-in is older than ten minutes. Machines do not sign in.
    pub fn demand_recent(&self) -> Result<(), AccessRefusal> {
        match &self.rights {
            Rights::Scope(_) => Ok(()),
            Rights::Person(person) => person.demand_recent(self.now()),
        }
    }

    /// Refuses callers without the scope of all of the Management API, and users whose sign-in is older than ten
    /// minutes.
    pub fn demand_all(&self) -> Result<(), AccessRefusal> {
        if !self.holds_all() {
            let message = "Only a token with the scope \"all\", or an administrator in the console, may grant or revoke \
                rights on the Management API.";
            return Err(AccessRefusal::forbidden(message));
        }
        self.demand_recent()
    }

    /// Refuses callers who are not administrators, and users whose sign-in is older than ten minutes.
    pub fn demand_administrator(&self) -> Result<(), AccessRefusal> {
        if !self.administers() {
            let message = "Only an administrator, or a token with the scope \"all\", may change who administers this \
                server, or somebody who does.";
            return Err(AccessRefusal::forbidden(message));
        }
        self.demand_recent()
    }

    /// Refuses callers without rights on connectors: changing the plugin of a connector gives access to all codes that
    /// it sends, just as changing the connector does.
    pub fn demand_connectors(&self) -> Result<(), AccessRefusal> {
        if !self.administers() {
            let message = "A connector sends its messages by this plugin: only an administrator, or a token with the \
                scope \"all\", may change it.";
            return Err(AccessRefusal::forbidden(message));
        }
        self.demand_recent()
    }

    /// The person who calls, if it is no machine.
    #[must_use]
    pub fn person(&self) -> Option<&AuthenticatedAdministrator> {
        match &self.rights {
            Rights::Scope(_) => None,
            Rights::Person(person) => Some(person),
        }
    }

    /// Who calls: the user's id, or the application's.
    #[must_use]
    pub fn id(&self) -> &str {
        self.actor.id().unwrap_or_default()
    }

    /// Who calls, for what later acts with the rights of this principal: `user:` or `application:` with its id.
    #[must_use]
    pub fn principal(&self) -> String {
        let kind = if matches!(self.actor, Actor::Application { .. }) { "application" } else { "user" };
        format!("{kind}:{}", self.id())
    }

    /// What the streams of the caller are counted under: the session at the console, or else the user or the
    /// application.
    #[must_use]
    pub fn stream_key(&self) -> String {
        let door = self.person().and_then(|person| person.door.as_ref());
        door.map_or_else(|| format!("{:?}", self.actor), |door| door.session_hash().to_owned())
    }

    /// A connection for reads.
    pub async fn read(&self) -> storage::Result<Tx> {
        self.app.db.read().await
    }

    /// The requester of a message, for its limits.
    #[must_use]
    pub fn message_requester(&self) -> MessageRequester {
        MessageRequester { actor: self.actor.clone(), origin: self.origin.clone(), interaction: None, is_known: false }
    }

    /// The client address.
    #[must_use]
    pub fn client(&self) -> Option<IpAddr> {
        self.origin.ip
    }

    /// Unix milliseconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.app.clock.now_ms()
    }
}
