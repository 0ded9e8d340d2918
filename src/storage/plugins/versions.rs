//! The versions of uploaded plugins. A version is immutable.

use crate::sql::filter;
use crate::{Json, Result, Tx};
use serde_json::Value;

/// A version, without its source.
#[derive(Clone, Debug, crate::Row)]
pub struct Version {
    /// The plugin.
    pub plugin_name: String,
    /// 1 for the first version of a plugin; never reused.
    pub id: i64,
    /// `sha256:…` of the source.
    pub digest: String,
    /// `javascript`, `typescript` or `wasm`.
    pub language: String,
    /// Bytes of the source.
    pub size: i64,
    /// Facts from the compiler: kind, world, imports.
    pub facts: Json<Value>,
    /// The HTTP access that it requests.
    pub http: Option<Json<Value>>,
    /// Its golden test cases, as uploaded.
    pub cases: Option<String>,
    /// The name of the trusted key that had signed it when it was uploaded.
    pub signer: Option<String>,
    /// The principal that uploaded it.
    pub created_by: String,
    /// What the uploader calls it.
    pub label: Option<String>,
    /// What the uploader says of it.
    pub note: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

#[derive(crate::Row)]
struct Source {
    source: Vec<u8>,
}

const COLUMNS: &str =
    "plugin_name, id, digest, language, size, facts, http, cases, signer, created_by, label, note, created_at";

/// Adds a version with its source.
pub async fn insert(tx: &mut Tx, version: &Version, source: &[u8]) -> Result<()> {
    tx.assembled(format!("INSERT INTO plugin_versions ({COLUMNS}, source) VALUES {}", filter::rows(14, 1)))
        .bind(&version.plugin_name)
        .bind(version.id)
        .bind(&version.digest)
        .bind(&version.language)
        .bind(version.size)
        .bind(&version.facts)
        .bind(&version.http)
        .bind(&version.cases)
        .bind(&version.signer)
        .bind(&version.created_by)
        .bind(&version.label)
        .bind(&version.note)
        .bind(version.created_at)
        .bind(source)
        .execute()
        .await?;
    Ok(())
}

#[derive(crate::Row)]
struct Signature {
    signature: Option<String>,
}

/// Adds the signature to a version that was just inserted.
pub async fn add_signature(tx: &mut Tx, plugin: &str, id: i64, signature: &str) -> Result<()> {
    tx.sql("UPDATE plugin_versions SET signature = $3 WHERE plugin_name = $1 AND id = $2")
        .bind(plugin)
        .bind(id)
        .bind(signature)
        .execute()
        .await?;
    Ok(())
}

/// The signature of a version, as it was uploaded.
pub async fn signature(tx: &mut Tx, plugin: &str, id: i64) -> Result<Option<String>> {
    let row: Option<Signature> = tx
        .sql("SELECT signature FROM plugin_versions WHERE plugin_name = $1 AND id = $2")
        .bind(plugin)
        .bind(id)
        .optional()
        .await?;
    Ok(row.and_then(|row| row.signature))
}

/// One version.
pub async fn find(tx: &mut Tx, plugin: &str, id: i64) -> Result<Option<Version>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_versions WHERE plugin_name = $1 AND id = $2"))
        .bind(plugin)
        .bind(id)
        .optional()
        .await
}

/// The source of a version.
pub async fn source(tx: &mut Tx, plugin: &str, id: i64) -> Result<Option<Vec<u8>>> {
    let row: Option<Source> = tx
        .sql("SELECT source FROM plugin_versions WHERE plugin_name = $1 AND id = $2")
        .bind(plugin)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|row| row.source))
}

/// The versions of a plugin, newest first.
pub async fn list(tx: &mut Tx, plugin: &str) -> Result<Vec<Version>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM plugin_versions WHERE plugin_name = $1 ORDER BY id DESC"))
        .bind(plugin)
        .all()
        .await
}

/// The active version of every plugin that has one.
pub async fn active(tx: &mut Tx) -> Result<Vec<Version>> {
    let columns = COLUMNS.replace("plugin_name", "v.plugin_name").replace(" created_at", " v.created_at");
    tx.assembled(format!(
        "SELECT {columns} FROM plugin_versions v JOIN plugins p ON p.name = v.plugin_name AND p.active_version = v.id"
    ))
    .all()
    .await
}

/// A version that a rollback leads to.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Earlier {
    /// The plugin.
    pub plugin_name: String,
    /// The newest version before the active one.
    pub id: i64,
}

/// The newest version before the active one, of every plugin that has both.
pub async fn before_active(tx: &mut Tx) -> Result<Vec<Earlier>> {
    tx.sql(
        "SELECT v.plugin_name, MAX(v.id) AS id FROM plugin_versions v JOIN plugins p ON p.name = v.plugin_name \
         WHERE v.id < p.active_version GROUP BY v.plugin_name ORDER BY v.plugin_name",
    )
    .all()
    .await
}

/// Notes that the active version of a plugin is in service, unless it was before.
pub async fn note_service(tx: &mut Tx, plugin: &str, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE plugin_versions SET activated_at = $2 WHERE plugin_name = $1 AND activated_at IS NULL \
         AND id = (SELECT active_version FROM plugins WHERE name = $1)",
    )
    .bind(plugin)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The newest version before the active one that was in service itself: somebody with the right to had activated it.
pub async fn served_before(tx: &mut Tx, plugin: &str) -> Result<Option<i64>> {
    let found: Option<Earlier> = tx
        .sql(
            "SELECT v.plugin_name, MAX(v.id) AS id FROM plugin_versions v JOIN plugins p ON p.name = v.plugin_name \
             WHERE p.name = $1 AND v.id < p.active_version AND v.activated_at IS NOT NULL GROUP BY v.plugin_name",
        )
        .bind(plugin)
        .optional()
        .await?;
    Ok(found.map(|found| found.id))
}

/// Deletes a version. `false` when there is none.
pub async fn delete(tx: &mut Tx, plugin: &str, id: i64) -> Result<bool> {
    let deleted = tx
        .sql("DELETE FROM plugin_versions WHERE plugin_name = $1 AND id = $2")
        .bind(plugin)
        .bind(id)
        .execute()
        .await?;
    Ok(deleted > 0)
}

/// Deletes all but the newest `keep` versions, `active` and the one of a rollout, and returns the number deleted.
pub async fn prune(tx: &mut Tx, plugin: &str, active: Option<i64>, keep: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM plugin_versions WHERE plugin_name = $1 AND id <> $2 AND id NOT IN \
         (SELECT id FROM plugin_versions WHERE plugin_name = $1 ORDER BY id DESC LIMIT $3) AND id NOT IN \
         (SELECT version FROM plugin_rollouts WHERE plugin_name = $1 AND ended_at IS NULL)",
    )
    .bind(plugin)
    .bind(active.unwrap_or(0))
    .bind(keep)
    .execute()
    .await
}
