//! Uploaded plugins and their settings. Every change starts with [`begin_change`], so that changes on all nodes are
//! serialized, and all nodes are notified after the commit.

pub mod breakers;
pub mod logs;
pub mod nodes;
pub mod population_runs;
pub mod recordings;
pub mod rollouts;
pub mod secrets;
pub mod versions;

use crate::nodes::announcements;
use crate::{Dialect, Document as _, Json, Result, Tx};
use serde_json::Value;

/// An uploaded plugin, without its versions.
#[derive(Clone, Debug, crate::Row)]
pub struct Plugin {
    /// The name in its URL.
    pub name: String,
    /// A manifest as JSON.
    pub settings: Json<Value>,
    /// The HTTP grant of the operator; `None` grants nothing.
    pub http_grant: Option<Json<Value>>,
    /// The cache grant of the operator; `None` grants nothing.
    pub cache_grant: Option<Json<Value>>,
    /// The active version; `None` until one is activated.
    pub active_version: Option<i64>,
    /// The id of the latest version.
    pub last_version: i64,
    /// Counts the changes.
    pub revision: i64,
    /// Data of the token customizer API other than script and variables; `None` for all other plugins.
    pub customizer: Option<Json<Value>>,
    /// The key of the folder that it was applied from, if it was.
    pub applied_by: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

const COLUMNS: &str = "name, settings, http_grant, cache_grant, active_version, last_version, revision, customizer, \
                       applied_by, created_at, updated_at";

#[derive(crate::Row)]
struct Revision {
    value: i64,
}

/// The total number of changes of all plugins.
pub async fn revision(tx: &mut Tx) -> Result<i64> {
    let row: Revision = tx.sql("SELECT value FROM revisions WHERE name = 'plugins'").one().await?;
    Ok(row.value)
}

/// How many changes there were, for those who follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, crate::Row)]
pub struct Revisions {
    /// Of plugins.
    pub plugins: i64,
    /// Of circuit breakers.
    pub breakers: i64,
}

/// Both numbers of changes in one query, since every node asks for them all the time.
pub async fn revisions(tx: &mut Tx) -> Result<Revisions> {
    tx.sql(
        "SELECT (SELECT value FROM revisions WHERE name = 'plugins') AS plugins, \
         (SELECT value FROM revisions WHERE name = 'plugin_breakers') AS breakers",
    )
    .one()
    .await
}

/// Must be called first in every transaction that changes a plugin: no other transaction changes any until the commit.
/// Returns the number of this change.
pub async fn begin_change(tx: &mut Tx) -> Result<i64> {
    let row: Revision =
        tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'plugins' RETURNING value").one().await?;
    if tx.dialect() == Dialect::Postgres {
        // PostgreSQL delivers it only when the transaction commits.
        tx.sql("SELECT pg_notify($1, $2)").bind(announcements::PLUGINS).bind(row.value.to_string()).execute().await?;
    }
    Ok(row.value)
}

/// The plugin with this name.
pub async fn find(tx: &mut Tx, name: &str) -> Result<Option<Plugin>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugins WHERE name = $1")).bind(name).optional().await
}

/// Every uploaded plugin, by name.
pub async fn all(tx: &mut Tx) -> Result<Vec<Plugin>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugins ORDER BY name")).all().await
}

/// Adds or replaces a plugin.
pub async fn put(tx: &mut Tx, plugin: &Plugin) -> Result<()> {
    // An unreadable document is not bound, so the stored one is kept.
    let sql = format!(
        "INSERT INTO plugins ({COLUMNS}) \
         VALUES ($1, COALESCE($2, (SELECT settings FROM plugins WHERE name = $1)), $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, active_version = excluded.active_version, \
         http_grant = CASE WHEN $12 THEN plugins.http_grant ELSE excluded.http_grant END, \
         cache_grant = CASE WHEN $13 THEN plugins.cache_grant ELSE excluded.cache_grant END, \
         last_version = excluded.last_version, revision = excluded.revision, \
         customizer = CASE WHEN $14 THEN plugins.customizer ELSE excluded.customizer END, \
         applied_by = excluded.applied_by, \
         updated_at = excluded.updated_at"
    );
    let unread = |document: &Option<Json<Value>>| document.as_ref().is_some_and(|document| document.is_unreadable());
    tx.assembled(sql)
        .bind(&plugin.name)
        .bind(&plugin.settings)
        .bind(&plugin.http_grant)
        .bind(&plugin.cache_grant)
        .bind(plugin.active_version)
        .bind(plugin.last_version)
        .bind(plugin.revision)
        .bind(&plugin.customizer)
        .bind(&plugin.applied_by)
        .bind(plugin.created_at)
        .bind(plugin.updated_at)
        .bind(unread(&plugin.http_grant))
        .bind(unread(&plugin.cache_grant))
        .bind(unread(&plugin.customizer))
        .execute()
        .await?;
    Ok(())
}

/// Deletes a plugin with its versions, secrets, recordings and population runs. `false` when there is none.
pub async fn delete(tx: &mut Tx, name: &str) -> Result<bool> {
    tx.sql("DELETE FROM plugin_nodes WHERE plugin_name = $1").bind(name).execute().await?;
    breakers::forget(tx, name).await?;
    recordings::delete_of_plugin(tx, name).await?;
    Ok(tx.sql("DELETE FROM plugins WHERE name = $1").bind(name).execute().await? > 0)
}
