//! Changes that share a commit: on SQLite, whose writer is one connection, a change waits for the transaction of
//! another anyway, and with a transaction of its own it also pays for a commit of its own.

use crate::audit::Actor;
use crate::unit_of_work::UnitOfWork;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_storage::{self as storage, Db, Tx};
use futures_util::future::BoxFuture;
use std::sync::{Arc, Mutex, PoisonError};

/// A change that is written by the group commit (`Issuer::change`).
///
/// It must not change authorization data (`claimsmith_storage::revisions`), nor wait for anything but the database.
pub trait SharedChange: Send + Sync + 'static {
    /// What came of it.
    type Outcome: Send + 'static;
    /// Why it was not made.
    type Refusal: From<storage::Error> + Send + 'static;

    /// Writes it, with its audit entries and events. It is called again, in another transaction, if that of the first
    /// call is rolled back because another change in it failed. If it refuses, nothing of it is committed.
    fn write(&self, work: &mut UnitOfWork) -> impl Future<Output = Result<Self::Outcome, Self::Refusal>> + Send;
}

/// A change of any type that waits in the queue.
pub(super) trait WaitingChange: Send + Sync {
    /// Writes it and returns the transaction. If it refuses, the transaction is rolled back.
    fn write<'c>(&'c self, tx: Tx, db: &'c Db, now: i64) -> BoxFuture<'c, storage::Result<Tx>>;
}

/// The result of the last call of a change.
pub(super) type ChangeResult<C> =
    Arc<Mutex<Option<Result<<C as SharedChange>::Outcome, <C as SharedChange>::Refusal>>>>;

/// A change, by whom it is made, and where its result is kept until the commit.
pub(super) struct AttributedChange<C: SharedChange> {
    pub change: C,
    pub actor: Actor,
    pub origin: RequestOrigin,
    pub result: ChangeResult<C>,
}

impl<C: SharedChange> WaitingChange for AttributedChange<C> {
    fn write<'c>(&'c self, tx: Tx, db: &'c Db, now: i64) -> BoxFuture<'c, storage::Result<Tx>> {
        Box::pin(async move {
            let mut work = UnitOfWork::within(tx, db, self.actor.clone(), self.origin.clone(), now);
            let result = self.change.write(&mut work).await;
            let is_refused = result.is_err();
            *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            // The refusal itself is kept; this error only rolls the transaction back.
            if is_refused { Err(storage::Error::Missing) } else { Ok(work.into_tx()) }
        })
    }
}

/// What the caller of a change gets, by the result of its last call and that of its commit.
pub(super) fn answer<C: SharedChange>(
    result: &ChangeResult<C>,
    committed: Result<(), storage::Error>,
) -> Result<C::Outcome, C::Refusal> {
    let result = result.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (committed, result) {
        (Ok(()), Some(outcome)) => outcome,
        (Err(_), Some(Err(refusal))) => Err(refusal),
        (Err(error), _) => Err(error.into()),
        // Unreachable: a change is written before its commit.
        (Ok(()), None) => Err(storage::Error::Missing.into()),
    }
}
