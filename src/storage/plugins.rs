//! Uploaded plugins and their settings. Every change begins with [`begin_change`], so that changes queue, on whatever
//! node they are made, and every node hears of them after the commit.

use super::{Dialect, Result, Tx, announcements, filter};
use serde_json::Value;
use sqlx::types::Json;

/// An uploaded plugin, without its versions.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Plugin {
    /// As in its URL.
    pub name: String,
    /// A manifest as JSON.
    pub settings: Json<Value>,
    /// What the operator lets it reach by HTTP; `None` lets it reach nothing.
    pub http_grant: Option<Json<Value>>,
    /// The version that serves; `None` until one was activated.
    pub active_version: Option<i64>,
    /// The id that was given to a version last.
    pub last_version: i64,
    /// Counts the changes.
    pub revision: i64,
    /// What the token customizer API was given beside script and variables; `None` for all other plugins.
    pub customizer: Option<Json<Value>>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

const COLUMNS: &str =
    "name, settings, http_grant, active_version, last_version, revision, customizer, created_at, updated_at";

#[derive(sqlx::FromRow)]
struct Revision {
    value: i64,
}

/// The number of changes so far, of all plugins together.
pub async fn revision(tx: &mut Tx) -> Result<i64> {
    let row: Revision = tx.sql("SELECT value FROM revisions WHERE name = 'plugins'").one().await?;
    Ok(row.value)
}

/// To be called first in every transaction that changes a plugin: from here to the commit no other one changes any.
/// Answers the number of this change.
pub async fn begin_change(tx: &mut Tx) -> Result<i64> {
    let row: Revision =
        tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'plugins' RETURNING value").one().await?;
    if tx.dialect() == Dialect::Postgres {
        // Delivered when the transaction commits, and not at all when it does not.
        tx.sql("SELECT pg_notify($1, $2)").bind(announcements::PLUGINS).bind(row.value.to_string()).execute().await?;
    }
    Ok(row.value)
}

/// The plugin of that name.
pub async fn find(tx: &mut Tx, name: &str) -> Result<Option<Plugin>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugins WHERE name = $1")).bind(name).optional().await
}

/// Every uploaded plugin, by name.
pub async fn all(tx: &mut Tx) -> Result<Vec<Plugin>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugins ORDER BY name")).all().await
}

/// Writes a plugin, replacing what was there.
pub async fn put(tx: &mut Tx, plugin: &Plugin) -> Result<()> {
    let sql = format!(
        "INSERT INTO plugins ({COLUMNS}) VALUES {} ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, \
         http_grant = excluded.http_grant, active_version = excluded.active_version, \
         last_version = excluded.last_version, revision = excluded.revision, customizer = excluded.customizer, \
         updated_at = excluded.updated_at",
        filter::rows(9, 1)
    );
    tx.assembled(sql)
        .bind(&plugin.name)
        .bind(&plugin.settings)
        .bind(&plugin.http_grant)
        .bind(plugin.active_version)
        .bind(plugin.last_version)
        .bind(plugin.revision)
        .bind(&plugin.customizer)
        .bind(plugin.created_at)
        .bind(plugin.updated_at)
        .execute()
        .await?;
    Ok(())
}

/// Deletes a plugin with its versions and secrets. `false` when there is none.
pub async fn delete(tx: &mut Tx, name: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM plugins WHERE name = $1").bind(name).execute().await? > 0)
}
