//! Backpressure between the nodes of one PostgreSQL: an advisory lock, shared for the token requests that hold back
//! changes, exclusive for the changes that wait for them. PostgreSQL serves both in the order in which they come.

use crate::sql::db::{Pools, begin_sharing};
use crate::{Db, Result};
use sqlx::{Postgres, Transaction};

const ADVISORY_LOCK: i64 = 0x0063_6c61_696d_7302;

/// Changes on all nodes wait until this is dropped. It is a transaction that reads and writes nothing: the lock ends
/// with it, also when the node does.
pub struct NodesHold {
    _transaction: Transaction<'static, Postgres>,
}

/// Holds back the changes of all nodes. `None` on SQLite, which has one node.
pub async fn hold(db: &Db) -> Result<Option<NodesHold>> {
    let Pools::Postgres { backpressure, .. } = &db.pools else { return Ok(None) };
    Ok(Some(NodesHold { _transaction: begin_sharing(backpressure, ADVISORY_LOCK).await? }))
}

/// Waits until no node holds back changes.
pub async fn pass(db: &Db) -> Result<()> {
    let Pools::Postgres { backpressure, .. } = &db.pools else { return Ok(()) };
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(ADVISORY_LOCK).execute(backpressure).await?;
    Ok(())
}
