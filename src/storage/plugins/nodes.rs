//! Which revision of an uploaded plugin each node serves. A node writes it when it has loaded a change.

use crate::sql::filter::Placeholders;
use crate::{Result, Tx};

/// Maximum number of rows in one statement.
const ROWS_PER_STATEMENT: usize = 500;

/// A node, and the revision of a plugin that it serves.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct ServedBy {
    /// The node.
    pub node_id: String,
    /// The revision of the plugin.
    pub revision: i64,
}

/// Writes which plugins a node serves, each in which revision.
pub async fn record(tx: &mut Tx, node: &str, served: &[(String, i64)], now: i64) -> Result<()> {
    for part in served.chunks(ROWS_PER_STATEMENT) {
        let rows = Placeholders::of(tx).rows(4, part.len());
        let mut statement = tx.assembled(format!(
            "INSERT INTO plugin_nodes (plugin_name, node_id, revision, written_at) VALUES {rows} \
             ON CONFLICT (plugin_name, node_id) DO UPDATE SET revision = excluded.revision, \
             written_at = excluded.written_at"
        ));
        for (name, revision) in part {
            statement = statement.bind(name).bind(node).bind(*revision).bind(now);
        }
        statement.execute().await?;
    }
    Ok(())
}

/// What each node serves of a plugin, by the node's id.
pub async fn of_plugin(tx: &mut Tx, plugin: &str) -> Result<Vec<ServedBy>> {
    tx.sql("SELECT node_id, revision FROM plugin_nodes WHERE plugin_name = $1 ORDER BY node_id")
        .bind(plugin)
        .all()
        .await
}

/// Deletes what a stopped node wrote.
pub async fn forget(tx: &mut Tx, node: &str) -> Result<u64> {
    tx.sql("DELETE FROM plugin_nodes WHERE node_id = $1").bind(node).execute().await
}

/// Deletes rows written before a time, Unix milliseconds, of nodes that are not listed and of plugins that do not exist.
pub async fn delete_expired(tx: &mut Tx, before: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_nodes WHERE written_at < $1 AND (node_id NOT IN (SELECT id FROM nodes) \
         OR plugin_name NOT IN (SELECT name FROM plugins))",
    )
    .bind(before)
    .execute()
    .await
}
