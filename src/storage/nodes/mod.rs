//! The nodes of the server: each writes a heartbeat once a minute.

pub mod announcements;
pub mod backpressure;

use crate::{Result, Tx};

/// A node: one process since its start.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Node {
    /// 21 characters, new at each start.
    pub id: String,
    /// The version of the server.
    pub version: String,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Last heartbeat, Unix milliseconds.
    pub seen_at: i64,
}

/// Writes the heartbeat of a node.
pub async fn heartbeat(tx: &mut Tx, node: &Node) -> Result<()> {
    tx.sql(
        "INSERT INTO nodes (id, version, started_at, seen_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
    )
    .bind(&node.id)
    .bind(&node.version)
    .bind(node.started_at)
    .bind(node.seen_at)
    .execute()
    .await?;
    Ok(())
}

/// The nodes, last started first.
pub async fn list(tx: &mut Tx) -> Result<Vec<Node>> {
    tx.sql("SELECT id, version, started_at, seen_at FROM nodes ORDER BY started_at DESC, id LIMIT 100").all().await
}

/// Removes a stopped node from the list. `false` if it is not listed.
pub async fn remove(tx: &mut Tx, id: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM nodes WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes the nodes without a heartbeat since a time, Unix milliseconds, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64) -> Result<u64> {
    tx.sql("DELETE FROM nodes WHERE seen_at < $1").bind(before).execute().await
}
