//! The nodes of the server: each writes once a minute that it is there.

pub mod announcements;
pub mod backpressure;

use crate::{Result, Tx};

/// A node: one process since its start.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Node {
    /// 21 characters, another at each start.
    pub id: String,
    /// The version of the server.
    pub version: String,
    /// Unix milliseconds.
    pub started_at: i64,
    /// When it was there last, Unix milliseconds.
    pub seen_at: i64,
}

/// Writes that a node is there.
pub async fn see(tx: &mut Tx, node: &Node) -> Result<()> {
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

/// The nodes, the last one started first.
pub async fn list(tx: &mut Tx) -> Result<Vec<Node>> {
    tx.sql("SELECT id, version, started_at, seen_at FROM nodes ORDER BY started_at DESC, id LIMIT 100").all().await
}

/// Takes a node that has stopped from the list. `false` when it is not there.
pub async fn remove(tx: &mut Tx, id: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM nodes WHERE id = $1").bind(id).execute().await? > 0)
}

/// Forgets the nodes that were not seen since a time, Unix milliseconds, and answers how many.
pub async fn delete_expired(tx: &mut Tx, before: i64) -> Result<u64> {
    tx.sql("DELETE FROM nodes WHERE seen_at < $1").bind(before).execute().await
}
