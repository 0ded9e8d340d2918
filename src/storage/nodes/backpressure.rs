//! Backpressure between the nodes on one PostgreSQL: token requests that delay changes share an advisory lock, and
//! changes wait for the exclusive lock. PostgreSQL serves both in order of arrival.

use crate::sql::db::begin_sharing;
use crate::sql::pools::Pools;
use crate::{Db, Result};
use sqlx::{Postgres, Transaction};

const ADVISORY_LOCK: i64 = 0x0063_6c61_696d_7302;

/// Delays the changes of all nodes until it is dropped. An otherwise empty transaction: the lock ends with it, also if
/// the node crashes.
pub struct NodesHold {
    _transaction: Transaction<'static, Postgres>,
}

/// Delays the changes of all nodes. `None` on SQLite, which has one node.
pub async fn hold(db: &Db) -> Result<Option<NodesHold>> {
    let Pools::Postgres { backpressure, .. } = &db.pools else { return Ok(None) };
    Ok(Some(NodesHold { _transaction: begin_sharing(backpressure, ADVISORY_LOCK).await? }))
}

/// Waits until no node delays changes.
pub async fn pass(db: &Db) -> Result<()> {
    let Pools::Postgres { backpressure, .. } = &db.pools else { return Ok(()) };
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(ADVISORY_LOCK).execute(backpressure).await?;
    Ok(())
}
