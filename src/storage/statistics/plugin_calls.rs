//! Calls of plugins by the minute and by version, with the last denial or failure of each minute.

use crate::sql::filter::Placeholders;
use crate::{Result, Tx};

/// The calls of one version of a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct PluginCalls {
    /// The plugin.
    pub plugin: String,
    /// `sha256:…` of the version; empty if none had loaded.
    pub digest: String,
    /// All calls.
    pub calls: i64,
    /// Those that denied.
    pub denied: i64,
    /// Those that failed.
    pub failed: i64,
    /// `denied`, or a word for the failure, of the last one that did not succeed.
    pub last_outcome: Option<String>,
    /// What it said, in one line and without secrets.
    pub last_error: Option<String>,
    /// The request during which it was called.
    pub last_request_id: Option<String>,
}

/// Adds the calls on a node for the minute that starts at `bucket`, Unix milliseconds.
pub async fn add(tx: &mut Tx, bucket: i64, node: &str, calls: &[PluginCalls]) -> Result<()> {
    if calls.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(10, calls.len());
    let mut statement = tx.assembled(format!(
        "INSERT INTO plugin_calls (bucket, node, plugin, digest, calls, denied, failed, last_outcome, last_error, \
         last_request_id) VALUES {rows} ON CONFLICT (bucket, plugin, digest, node) DO UPDATE SET \
         calls = plugin_calls.calls + excluded.calls, denied = plugin_calls.denied + excluded.denied, \
         failed = plugin_calls.failed + excluded.failed, \
         last_error = CASE WHEN excluded.last_outcome IS NULL THEN plugin_calls.last_error ELSE excluded.last_error END, \
         last_request_id = CASE WHEN excluded.last_outcome IS NULL THEN plugin_calls.last_request_id \
         ELSE excluded.last_request_id END, last_outcome = COALESCE(excluded.last_outcome, plugin_calls.last_outcome)"
    ));
    for one in calls {
        statement = statement
            .bind(bucket)
            .bind(node)
            .bind(&one.plugin)
            .bind(&one.digest)
            .bind(one.calls)
            .bind(one.denied)
            .bind(one.failed)
            .bind(&one.last_outcome)
            .bind(&one.last_error)
            .bind(&one.last_request_id);
    }
    statement.execute().await?;
    Ok(())
}

/// The calls of all nodes in the minutes from `from` on, Unix milliseconds: a row for each version of a plugin.
pub async fn since(tx: &mut Tx, from: i64) -> Result<Vec<PluginCalls>> {
    tx.sql(
        "SELECT sums.plugin, sums.digest, sums.calls, sums.denied, sums.failed, latest.last_outcome, latest.last_error, \
         latest.last_request_id FROM (SELECT plugin, digest, CAST(SUM(calls) AS BIGINT) AS calls, \
         CAST(SUM(denied) AS BIGINT) AS denied, CAST(SUM(failed) AS BIGINT) AS failed FROM plugin_calls \
         WHERE bucket >= $1 GROUP BY plugin, digest) sums LEFT JOIN (SELECT plugin, digest, last_outcome, last_error, \
         last_request_id, ROW_NUMBER() OVER (PARTITION BY plugin, digest ORDER BY bucket DESC, node) AS place \
         FROM plugin_calls WHERE bucket >= $1 AND last_outcome IS NOT NULL) latest \
         ON latest.plugin = sums.plugin AND latest.digest = sums.digest AND latest.place = 1 \
         ORDER BY sums.plugin, sums.digest",
    )
    .bind(from)
    .all()
    .await
}

/// Deletes at most `limit` rows of minutes before a time, Unix milliseconds, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_calls WHERE (bucket, plugin, digest, node) IN (SELECT bucket, plugin, digest, node \
         FROM plugin_calls WHERE bucket < $1 ORDER BY bucket, plugin, digest, node LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
