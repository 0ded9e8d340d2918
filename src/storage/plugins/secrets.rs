//! Secrets of uploaded plugins, encrypted. They are written, listed by name and deleted, never returned by the API.

use crate::{Result, Tx};

/// A secret as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct PluginSecret {
    /// The plugin.
    pub plugin_name: String,
    /// The variable's name.
    pub name: String,
    /// The value, encrypted, base64.
    pub sealed: String,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// Adds or replaces a secret. [`crate::Error::Missing`] if there is no such plugin.
pub async fn put(tx: &mut Tx, secret: &PluginSecret) -> Result<()> {
    tx.sql(
        "INSERT INTO plugin_secrets (plugin_name, name, sealed, updated_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (plugin_name, name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at",
    )
    .bind(&secret.plugin_name)
    .bind(&secret.name)
    .bind(&secret.sealed)
    .bind(secret.updated_at)
    .execute()
    .await?;
    Ok(())
}

/// The secrets of one plugin, by name.
pub async fn list(tx: &mut Tx, plugin: &str) -> Result<Vec<PluginSecret>> {
    tx.sql("SELECT plugin_name, name, sealed, updated_at FROM plugin_secrets WHERE plugin_name = $1 ORDER BY name")
        .bind(plugin)
        .all()
        .await
}

/// Deletes a secret. `false` when there is none with this name.
pub async fn delete(tx: &mut Tx, plugin: &str, name: &str) -> Result<bool> {
    let deleted = tx
        .sql("DELETE FROM plugin_secrets WHERE plugin_name = $1 AND name = $2")
        .bind(plugin)
        .bind(name)
        .execute()
        .await?;
    Ok(deleted > 0)
}
