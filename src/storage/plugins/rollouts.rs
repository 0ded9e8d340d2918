//! Rollouts of plugins: one row for each plugin decides on all nodes; what nodes counted of it adds up; samples of calls
//! whose answers differ.

use crate::sql::filter::Placeholders;
use crate::sql::slice::Count;
use crate::{Result, Tx};

/// The rollout of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Rollout {
    /// The plugin.
    pub plugin_name: String,
    /// What its counts belong to: different for each rollout, and after a change of its mode.
    pub id: String,
    /// The version that is tried.
    pub version: i64,
    /// The version that was active when it began.
    pub active_before: i64,
    /// `shadow` or `canary`.
    pub mode: String,
    /// `running`, `paused`, `promoted` or `aborted`.
    pub state: String,
    /// Why it is paused or over.
    pub reason: Option<String>,
    /// Percent of users.
    pub share: i64,
    /// JSON: who is chosen whatever the share.
    pub audience: String,
    /// JSON; `None`: only persons decide.
    pub rules: Option<String>,
    /// `user:` or `application:` with the id of the principal that set the rules.
    pub rules_by: Option<String>,
    /// The principal that began it.
    pub started_by: String,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Since when it has been running without a pause, Unix milliseconds.
    pub running_since: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// The principal that ended it; `None` for rules.
    pub ended_by: Option<String>,
    /// Unix milliseconds; `None` while it runs or is paused.
    pub ended_at: Option<i64>,
}

/// A count of a rollout, added up over all nodes.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct RolloutCount {
    /// What is counted.
    pub name: String,
    /// How often.
    pub value: i64,
}

/// A call whose answers differ.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct RolloutSample {
    /// Unique; samples of one rollout are in the order of their ids.
    pub id: String,
    /// The rollout.
    pub rollout_id: String,
    /// How the answers differ.
    pub class: String,
    /// Whom the call was about.
    pub user_id: Option<String>,
    /// JSON, redacted and encrypted.
    pub sealed: String,
    /// Unix milliseconds.
    pub created_at: i64,
}

const COLUMNS: &str = "plugin_name, id, version, active_before, mode, state, reason, share, audience, rules, rules_by, \
     started_by, started_at, running_since, expires_at, ended_by, ended_at";

/// The maximum bytes of all samples of one class of a rollout: they are read together.
pub const MAX_BYTES_OF_CLASS: i64 = 2 << 20;

/// Counts of one statement.
const COUNTS_PER_STATEMENT: usize = 100;

/// The rollout of a plugin, also one that is over.
pub async fn find(tx: &mut Tx, plugin: &str) -> Result<Option<Rollout>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_rollouts WHERE plugin_name = $1")).bind(plugin).optional().await
}

/// The rollouts that are not over, by plugin.
pub async fn open(tx: &mut Tx) -> Result<Vec<Rollout>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_rollouts WHERE ended_at IS NULL ORDER BY plugin_name"))
        .all()
        .await
}

/// Adds a rollout, with which the previous one of the plugin is gone, with its counts and samples.
pub async fn begin(tx: &mut Tx, rollout: &Rollout) -> Result<()> {
    tx.sql("DELETE FROM plugin_rollouts WHERE plugin_name = $1").bind(&rollout.plugin_name).execute().await?;
    let values = Placeholders::of(tx).rows(17, 1);
    tx.assembled(format!("INSERT INTO plugin_rollouts ({COLUMNS}) VALUES {values}"))
        .bind(&rollout.plugin_name)
        .bind(&rollout.id)
        .bind(rollout.version)
        .bind(rollout.active_before)
        .bind(&rollout.mode)
        .bind(&rollout.state)
        .bind(&rollout.reason)
        .bind(rollout.share)
        .bind(&rollout.audience)
        .bind(&rollout.rules)
        .bind(&rollout.rules_by)
        .bind(&rollout.started_by)
        .bind(rollout.started_at)
        .bind(rollout.running_since)
        .bind(rollout.expires_at)
        .bind(&rollout.ended_by)
        .bind(rollout.ended_at)
        .execute()
        .await?;
    Ok(())
}

/// Writes what can change of a rollout. `false` when it is no longer the rollout of its plugin.
pub async fn update(tx: &mut Tx, rollout: &Rollout) -> Result<bool> {
    let changed = tx
        .sql(
            "UPDATE plugin_rollouts SET state = $2, reason = $3, share = $4, audience = $5, rules = $6, rules_by = $7, \
             running_since = $8, expires_at = $9, ended_by = $10, ended_at = $11 WHERE id = $1",
        )
        .bind(&rollout.id)
        .bind(&rollout.state)
        .bind(&rollout.reason)
        .bind(rollout.share)
        .bind(&rollout.audience)
        .bind(&rollout.rules)
        .bind(&rollout.rules_by)
        .bind(rollout.running_since)
        .bind(rollout.expires_at)
        .bind(&rollout.ended_by)
        .bind(rollout.ended_at)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Adds counts of a node. Those of a rollout that is gone are dropped.
pub async fn add_counts(tx: &mut Tx, rollout_id: &str, node: &str, counts: &[(String, i64)]) -> Result<()> {
    let known: Count =
        tx.sql("SELECT COUNT(*) AS count FROM plugin_rollouts WHERE id = $1").bind(rollout_id).one().await?;
    if known.count == 0 {
        return Ok(());
    }
    for part in counts.chunks(COUNTS_PER_STATEMENT) {
        let rows = Placeholders::of(tx).rows(4, part.len());
        let mut statement = tx.assembled(format!(
            "INSERT INTO plugin_rollout_counts (rollout_id, node, name, value) VALUES {rows} \
             ON CONFLICT (rollout_id, node, name) DO UPDATE SET value = plugin_rollout_counts.value + excluded.value"
        ));
        for (name, value) in part {
            statement = statement.bind(rollout_id).bind(node).bind(name).bind(*value);
        }
        statement.execute().await?;
    }
    Ok(())
}

/// The counts of all nodes, by name.
pub async fn counts(tx: &mut Tx, rollout_id: &str) -> Result<Vec<RolloutCount>> {
    tx.sql(
        "SELECT name, CAST(SUM(value) AS BIGINT) AS value FROM plugin_rollout_counts WHERE rollout_id = $1 \
         GROUP BY name ORDER BY name",
    )
    .bind(rollout_id)
    .all()
    .await
}

/// Adds a sample, unless there are `most` of its class already, or too many bytes of them, or its rollout or user is gone.
/// Returns whether it was added.
pub async fn add_sample(tx: &mut Tx, sample: &RolloutSample, most: i64) -> Result<bool> {
    let added = tx
        .sql(
            "INSERT INTO plugin_rollout_samples (id, rollout_id, class, user_id, sealed, created_at) \
             SELECT $1, $2, $3, $4, $5, $6 WHERE EXISTS (SELECT 1 FROM plugin_rollouts WHERE id = $2) \
             AND (CAST($4 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = $4)) \
             AND (SELECT COUNT(*) FROM plugin_rollout_samples WHERE rollout_id = $2 AND class = $3) < $7 \
             AND (SELECT COALESCE(SUM(LENGTH(sealed)), 0) FROM plugin_rollout_samples \
             WHERE rollout_id = $2 AND class = $3) <= $8",
        )
        .bind(&sample.id)
        .bind(&sample.rollout_id)
        .bind(&sample.class)
        .bind(&sample.user_id)
        .bind(&sample.sealed)
        .bind(sample.created_at)
        .bind(most)
        .bind(MAX_BYTES_OF_CLASS.saturating_sub(i64::try_from(sample.sealed.len()).unwrap_or(i64::MAX)))
        .execute()
        .await?;
    Ok(added > 0)
}

/// The samples of a rollout, oldest first.
pub async fn samples(tx: &mut Tx, rollout_id: &str) -> Result<Vec<RolloutSample>> {
    tx.sql(
        "SELECT id, rollout_id, class, user_id, sealed, created_at FROM plugin_rollout_samples WHERE rollout_id = $1 \
         ORDER BY created_at, id",
    )
    .bind(rollout_id)
    .all()
    .await
}

/// Deletes at most `limit` samples that were taken before a time, Unix milliseconds, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_rollout_samples WHERE id IN (SELECT id FROM plugin_rollout_samples WHERE created_at < $1 \
         ORDER BY created_at, id LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
