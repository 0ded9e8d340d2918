//! Runs of a version of a plugin over all users. One row decides: the node that leases it adds what it found with the id
//! of the last user, in one transaction, so that no user counts twice when another node continues.

use crate::sql::slice::Count;
use crate::{Dialect, Json, Result, Tx};
use serde_json::Value;

/// A run.
#[derive(Clone, Debug, crate::Row)]
pub struct PopulationRun {
    /// Its id.
    pub id: String,
    /// The plugin.
    pub plugin_name: String,
    /// The version that is tried.
    pub version: i64,
    /// The version that it is compared with; `None`: with no plugin at all.
    pub against: Option<i64>,
    /// The application whose tokens the users would get.
    pub application_id: String,
    /// What else the token is asked for with, and what the run may do.
    pub options: Json<Value>,
    /// `running`, `complete`, `canceled` or `failed`.
    pub state: String,
    /// Why it failed or was canceled by the server, or why users have no token.
    pub problem: Option<String>,
    /// Users at the start.
    pub total: i64,
    /// How many of them it is about.
    pub wanted: i64,
    /// Users that it has passed.
    pub visited: i64,
    /// Users that were compared.
    pub compared: i64,
    /// Users that would have no such token.
    pub skipped: i64,
    /// HTTP requests that were sent.
    pub http_sent: i64,
    /// HTTP requests that were not.
    pub http_refused: i64,
    /// Differences that are stored.
    pub recorded: i64,
    /// Differences that had no room.
    pub dropped: i64,
    /// Of the stored differences.
    pub bytes: i64,
    /// The id of the last user that is committed.
    pub reached: String,
    /// The key of the pseudonyms, encrypted; `None` once it has ended.
    pub sealed_key: Option<String>,
    /// The table, encrypted; `None` before anything is compared.
    pub sealed_results: Option<String>,
    /// The principal that started it.
    pub created_by: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub ended_at: Option<i64>,
    /// When it is deleted, Unix milliseconds.
    pub expires_at: i64,
}

/// A lease of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLease<'l> {
    /// The run.
    pub run: &'l str,
    /// Whoever works on it.
    pub holder: &'l str,
    /// Unix milliseconds.
    pub until: i64,
}

/// What a run has reached, as its row will say.
#[derive(Clone, Debug)]
pub struct Progress<'p> {
    /// As [`PopulationRun::problem`].
    pub problem: Option<&'p str>,
    /// As [`PopulationRun::visited`].
    pub visited: i64,
    /// As [`PopulationRun::compared`].
    pub compared: i64,
    /// As [`PopulationRun::skipped`].
    pub skipped: i64,
    /// As [`PopulationRun::http_sent`].
    pub http_sent: i64,
    /// As [`PopulationRun::http_refused`].
    pub http_refused: i64,
    /// As [`PopulationRun::recorded`].
    pub recorded: i64,
    /// As [`PopulationRun::dropped`].
    pub dropped: i64,
    /// As [`PopulationRun::bytes`].
    pub bytes: i64,
    /// As [`PopulationRun::reached`].
    pub reached: &'p str,
    /// As [`PopulationRun::sealed_results`].
    pub sealed_results: &'p str,
}

/// How a run ends.
#[derive(Clone, Copy, Debug)]
pub struct RunEnd<'e> {
    /// `complete`, `canceled` or `failed`.
    pub state: &'e str,
    /// Why, if it failed or was canceled by the server.
    pub problem: Option<&'e str>,
    /// Unix milliseconds.
    pub at: i64,
    /// When it is deleted, Unix milliseconds.
    pub expires_at: i64,
}

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct StoredDifference {
    /// Its id, which its ciphertext is bound to.
    pub id: String,
    /// From 1.
    pub number: i64,
    /// The class of the comparison.
    pub class: String,
    /// Whom it is about.
    pub user_id: String,
    /// JSON, redacted and encrypted.
    pub sealed: String,
}

#[derive(crate::Row)]
struct Id {
    id: String,
}

const COLUMNS: &str = "id, plugin_name, version, against, application_id, options, state, problem, total, wanted, \
     visited, compared, skipped, http_sent, http_refused, recorded, dropped, bytes, reached, sealed_key, \
     sealed_results, created_by, created_at, ended_at, expires_at";

/// Adds a run that goes on, which nobody works on yet. [`crate::Error::Conflict`] while another one goes on.
pub async fn insert(tx: &mut Tx, run: &PopulationRun) -> Result<()> {
    tx.sql(
        "INSERT INTO plugin_population_runs (id, plugin_name, version, against, application_id, options, state, total, \
         wanted, sealed_key, created_by, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9, $10, $11, $12)",
    )
    .bind(&run.id)
    .bind(&run.plugin_name)
    .bind(run.version)
    .bind(run.against)
    .bind(&run.application_id)
    .bind(&run.options)
    .bind(run.total)
    .bind(run.wanted)
    .bind(&run.sealed_key)
    .bind(&run.created_by)
    .bind(run.created_at)
    .bind(run.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// A run of this plugin.
pub async fn find(tx: &mut Tx, plugin: &str, id: &str) -> Result<Option<PopulationRun>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_population_runs WHERE plugin_name = $1 AND id = $2"))
        .bind(plugin)
        .bind(id)
        .optional()
        .await
}

/// The runs of a plugin, newest first.
pub async fn list(tx: &mut Tx, plugin: &str) -> Result<Vec<PopulationRun>> {
    tx.assembled(format!(
        "SELECT {COLUMNS} FROM plugin_population_runs WHERE plugin_name = $1 ORDER BY created_at DESC, id DESC"
    ))
    .bind(plugin)
    .all()
    .await
}

/// The run that goes on and that nobody works on.
pub async fn waiting(tx: &mut Tx, now: i64) -> Result<Option<String>> {
    let found: Option<Id> = tx
        .sql("SELECT id FROM plugin_population_runs WHERE state = 'running' AND (lease IS NULL OR lease_until <= $1)")
        .bind(now)
        .optional()
        .await?;
    Ok(found.map(|found| found.id))
}

/// Takes the lease of a run that goes on and that nobody works on; `None` if somebody else was faster.
pub async fn take_lease(tx: &mut Tx, lease: RunLease<'_>, now: i64) -> Result<Option<PopulationRun>> {
    tx.assembled(format!(
        "UPDATE plugin_population_runs SET lease = $2, lease_until = $3 \
         WHERE id = $1 AND state = 'running' AND (lease IS NULL OR lease_until <= $4) RETURNING {COLUMNS}"
    ))
    .bind(lease.run)
    .bind(lease.holder)
    .bind(lease.until)
    .bind(now)
    .optional()
    .await
}

/// Extends a lease, and locks the run until the commit. `false`: the run has ended, or somebody else works on it.
pub async fn extend_lease(tx: &mut Tx, lease: RunLease<'_>) -> Result<bool> {
    let extended = tx
        .sql("UPDATE plugin_population_runs SET lease_until = $3 WHERE id = $1 AND lease = $2 AND state = 'running'")
        .bind(lease.run)
        .bind(lease.holder)
        .bind(lease.until)
        .execute()
        .await?;
    Ok(extended > 0)
}

/// Gives leases back, so that another node continues at once: those of this holder, or all of them.
pub async fn release_leases(tx: &mut Tx, holder: Option<&str>) -> Result<u64> {
    tx.sql(
        "UPDATE plugin_population_runs SET lease = NULL, lease_until = 0 \
         WHERE state = 'running' AND lease = COALESCE(CAST($1 AS TEXT), lease)",
    )
    .bind(holder)
    .execute()
    .await
}

/// Writes what a run has reached. Its lease was extended in this transaction.
pub async fn advance(tx: &mut Tx, run: &str, progress: &Progress<'_>) -> Result<()> {
    tx.sql(
        "UPDATE plugin_population_runs SET problem = $2, visited = $3, compared = $4, skipped = $5, http_sent = $6, \
         http_refused = $7, recorded = $8, dropped = $9, bytes = $10, reached = $11, sealed_results = $12 WHERE id = $1",
    )
    .bind(run)
    .bind(progress.problem)
    .bind(progress.visited)
    .bind(progress.compared)
    .bind(progress.skipped)
    .bind(progress.http_sent)
    .bind(progress.http_refused)
    .bind(progress.recorded)
    .bind(progress.dropped)
    .bind(progress.bytes)
    .bind(progress.reached)
    .bind(progress.sealed_results)
    .execute()
    .await?;
    Ok(())
}

/// Ends a run that goes on. `false` if it has ended already.
pub async fn end(tx: &mut Tx, plugin: &str, id: &str, end: RunEnd<'_>) -> Result<bool> {
    let ended = tx
        .sql(
            "UPDATE plugin_population_runs SET state = $3, problem = COALESCE(CAST($4 AS TEXT), problem), ended_at = $5, \
             expires_at = $6, sealed_key = NULL, lease = NULL, lease_until = 0, reached = '' \
             WHERE plugin_name = $1 AND id = $2 AND state = 'running'",
        )
        .bind(plugin)
        .bind(id)
        .bind(end.state)
        .bind(end.problem)
        .bind(end.at)
        .bind(end.expires_at)
        .execute()
        .await?;
    Ok(ended > 0)
}

/// Adds a difference. `false` if its user is deleted.
pub async fn add_difference(tx: &mut Tx, run: &str, difference: &StoredDifference) -> Result<bool> {
    // PostgreSQL: the user stays until the commit.
    if tx.dialect() == Dialect::Postgres {
        tx.sql("SELECT COUNT(*) AS count FROM (SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE) AS kept")
            .bind(&difference.user_id)
            .one::<Count>()
            .await?;
    }
    let inserted = tx
        .sql(
            "INSERT INTO plugin_population_differences (id, run_id, number, class, user_id, sealed) \
             SELECT $1, $2, $3, $4, $5, $6 WHERE EXISTS (SELECT 1 FROM users WHERE id = $5)",
        )
        .bind(&difference.id)
        .bind(run)
        .bind(difference.number)
        .bind(&difference.class)
        .bind(&difference.user_id)
        .bind(&difference.sealed)
        .execute()
        .await?;
    Ok(inserted > 0)
}

/// Differences after this number, of this class or of all, in order, at most `limit`.
pub async fn differences(
    tx: &mut Tx,
    run: &str,
    class: Option<&str>,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredDifference>> {
    tx.sql(
        "SELECT id, number, class, user_id, sealed FROM plugin_population_differences \
         WHERE run_id = $1 AND class = COALESCE(CAST($2 AS TEXT), class) AND number > $3 ORDER BY number LIMIT $4",
    )
    .bind(run)
    .bind(class)
    .bind(after)
    .bind(limit)
    .all()
    .await
}

/// Deletes a run with its differences; one that goes on ends by it. `false` when there is none.
pub async fn delete(tx: &mut Tx, plugin: &str, id: &str) -> Result<bool> {
    let deleted = tx
        .sql("DELETE FROM plugin_population_runs WHERE plugin_name = $1 AND id = $2")
        .bind(plugin)
        .bind(id)
        .execute()
        .await?;
    Ok(deleted > 0)
}

/// Deletes at most `limit` differences of runs that have expired, and at most as many of those runs as have none left.
/// Returns the number of both.
pub async fn delete_expired(tx: &mut Tx, now: i64, limit: i64) -> Result<u64> {
    let differences = tx
        .sql(
            "DELETE FROM plugin_population_differences WHERE id IN (SELECT d.id FROM plugin_population_differences d \
             JOIN plugin_population_runs r ON r.id = d.run_id WHERE r.expires_at <= $1 LIMIT $2)",
        )
        .bind(now)
        .bind(limit)
        .execute()
        .await?;
    let runs = tx
        .sql(
            "DELETE FROM plugin_population_runs WHERE id IN (SELECT r.id FROM plugin_population_runs r \
             WHERE r.expires_at <= $1 AND NOT EXISTS (SELECT 1 FROM plugin_population_differences d WHERE d.run_id = r.id) \
             ORDER BY r.expires_at LIMIT $2)",
        )
        .bind(now)
        .bind(limit)
        .execute()
        .await?;
    Ok(differences + runs)
}

/// The ids of users after this one, in order, at most `limit`.
pub async fn users_after(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<String>> {
    let found: Vec<Id> =
        tx.sql("SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2").bind(after).bind(limit).all().await?;
    Ok(found.into_iter().map(|found| found.id).collect())
}
