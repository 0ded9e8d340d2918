//! A unit of work: the transaction of one change, with its actor, origin and time, so that its audit entry and its
//! events are written in it and agree.

use crate::audit::{Actor, Entry};
use crate::webhooks::{self, Event};
use claimsmith_domain::audit_key::{AuditInterface, AuditKey, AuditOperation};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_storage::{self as storage, Db, Tx, audit};
use serde_json::Value;
use std::ops::{Deref, DerefMut};

/// A transaction that writes. It is rolled back when it is dropped.
pub struct UnitOfWork {
    db: Db,
    tx: Tx,
    actor: Actor,
    origin: RequestOrigin,
    now: i64,
}

impl UnitOfWork {
    /// Begins one. `now` is the time of everything in it, Unix milliseconds.
    pub async fn begin(db: &Db, actor: Actor, origin: RequestOrigin, now: i64) -> storage::Result<Self> {
        Ok(Self { db: db.clone(), tx: db.begin().await?, actor, origin, now })
    }

    /// One within a transaction that others share.
    #[must_use]
    pub fn within(tx: Tx, db: &Db, actor: Actor, origin: RequestOrigin, now: i64) -> Self {
        Self { db: db.clone(), tx, actor, origin, now }
    }

    /// The transaction, which others share.
    #[must_use]
    pub fn into_tx(self) -> Tx {
        self.tx
    }

    /// The time of everything in it, Unix milliseconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.now
    }

    /// The database, for reads outside of the transaction.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The key of an operation through the interface of the actor, such as `Management.User.Create`.
    #[must_use]
    pub fn key(&self, operation: AuditOperation) -> AuditKey {
        let interface = match self.actor {
            Actor::Operator => AuditInterface::Operator,
            Actor::Server => AuditInterface::Server,
            Actor::Owner { .. } => AuditInterface::Account,
            _ if self.origin.route.is_some() => AuditInterface::Management,
            _ => AuditInterface::Interaction,
        };
        AuditKey::Operation(interface, operation)
    }

    /// Whether the user acts for themselves: changes their own account, signs in or registers.
    #[must_use]
    pub fn is_by_its_person(&self) -> bool {
        match self.actor {
            Actor::Owner { .. } => true,
            Actor::Application { .. } => self.origin.route.is_none(),
            Actor::User { .. } | Actor::Operator | Actor::Server => false,
        }
    }

    /// Writes the audit entry of the change. `details` must not hold secrets.
    pub async fn audit(&mut self, key: AuditKey, details: Value) -> Result<(), webhooks::Error> {
        let log = Entry::success(key, details).by(&self.actor).from(&self.origin).at(self.now)?;
        Ok(audit::append(&mut self.tx, &[log]).await?)
    }

    /// Writes an event of the change, for the subscribed hooks.
    pub async fn emit(&mut self, event: &Event) -> Result<(), webhooks::Error> {
        webhooks::emit(&mut self.tx, event, &self.origin, self.now).await
    }

    /// Writes several events of one kind.
    pub async fn emit_each(&mut self, events: &[Event]) -> Result<(), webhooks::Error> {
        webhooks::emit_each(&mut self.tx, events, &self.origin, self.now).await
    }

    /// Like `emit`, for an indirect effect of a request: the event does not name the request's route.
    pub async fn emit_aside(&mut self, event: &Event) -> Result<(), webhooks::Error> {
        let origin = RequestOrigin { route: None, ..self.origin.clone() };
        webhooks::emit(&mut self.tx, event, &origin, self.now).await
    }

    /// Commits the transaction.
    pub async fn commit(self) -> storage::Result<()> {
        self.tx.commit().await
    }
}

impl Deref for UnitOfWork {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        &self.tx
    }
}

impl DerefMut for UnitOfWork {
    fn deref_mut(&mut self) -> &mut Tx {
        &mut self.tx
    }
}
