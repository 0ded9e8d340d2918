//! The database changes of an uploaded plugin. Each function is one step in a transaction that began with
//! [`storage::plugins::begin_change`](claimsmith_storage::plugins::begin_change), which lets no other change run at the
//! same time.

use super::reading::{language_name, place};
use super::uploads::UploadedSource;
use crate::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_runtime::{Kind, Manifest};
use claimsmith_storage::plugins::secrets::PluginSecret;
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_storage::{Json, Result, Tx};
use serde_json::Value;

/// How many versions of a plugin are kept.
pub(crate) const VERSIONS_KEPT: i64 = 50;

/// A version that was accepted and is to be stored.
#[derive(Debug)]
pub struct AcceptedVersion {
    /// The source, with the plugin's name.
    pub source: UploadedSource,
    /// What it is for.
    pub kind: Kind,
    /// What the compiler found out: kind, world, imports.
    pub facts: Value,
    /// The HTTP capability that it declares.
    pub http: Option<Value>,
    /// Its golden cases.
    pub cases: Option<String>,
    /// The signature of the source, as it was uploaded.
    pub signature: Option<String>,
    /// The name of the trusted key that made it.
    pub signer: Option<String>,
    /// The principal that uploads it.
    pub created_by: String,
    /// What the uploader calls it.
    pub label: Option<String>,
    /// What the uploader says of it.
    pub note: Option<String>,
}

/// A plugin of that name that has nothing yet.
#[must_use]
pub fn new_plugin(name: &str, now: i64) -> Plugin {
    Plugin {
        name: name.to_owned(),
        settings: Json(Value::Object(serde_json::Map::new())),
        http_grant: None,
        cache_grant: None,
        active_version: None,
        last_version: 0,
        revision: 0,
        customizer: None,
        applied_by: None,
        created_at: now,
        updated_at: now,
    }
}

/// Counts the change and writes the plugin.
pub async fn save(tx: &mut Tx, plugin: &mut Plugin, now: i64) -> Result<()> {
    plugin.revision += 1;
    plugin.updated_at = now;
    plugins::put(tx, plugin).await?;
    plugins::versions::note_service(tx, &plugin.name, now).await
}

/// Adds a version, activates it if requested, and deletes all but the newest `VERSIONS_KEPT`.
pub async fn add_version(
    tx: &mut Tx,
    plugin: &mut Plugin,
    candidate: &AcceptedVersion,
    activate: bool,
    now: i64,
) -> Result<Version> {
    plugin.last_version += 1;
    let version = Version {
        plugin_name: plugin.name.clone(),
        id: plugin.last_version,
        digest: candidate.source.digest().to_owned(),
        language: language_name(candidate.source.language).to_owned(),
        size: i64::try_from(candidate.source.bytes().len()).unwrap_or(i64::MAX),
        facts: Json(candidate.facts.clone()),
        http: candidate.http.clone().map(Json),
        cases: candidate.cases.clone(),
        signer: candidate.signer.clone(),
        created_by: candidate.created_by.clone(),
        label: candidate.label.clone(),
        note: candidate.note.clone(),
        created_at: now,
    };
    if activate {
        plugin.active_version = Some(version.id);
    }
    save(tx, plugin, now).await?;
    plugins::versions::insert(tx, &version, candidate.source.bytes()).await?;
    plugins::versions::note_service(tx, &plugin.name, now).await?;
    if let Some(signature) = &candidate.signature {
        plugins::versions::add_signature(tx, &plugin.name, version.id, signature).await?;
    }
    plugins::versions::prune(tx, &plugin.name, plugin.active_version, VERSIONS_KEPT).await?;
    Ok(version)
}

/// The settings of a plugin.
pub fn settings(plugin: &Plugin) -> serde_json::Result<Manifest> {
    serde_json::from_value(plugin.settings.0.clone())
}

/// Replaces the settings of a plugin; [`save`] writes them.
pub fn set_settings(plugin: &mut Plugin, manifest: &Manifest) -> serde_json::Result<()> {
    plugin.settings = Json(serde_json::to_value(manifest)?);
    Ok(())
}

/// Whether these settings put a plugin into service that is switched off. Settings that cannot be read count as such.
#[must_use]
pub fn starts_serving(plugin: &Plugin, after: &Manifest) -> bool {
    after.enabled && !settings(plugin).is_ok_and(|before| before.enabled)
}

/// Encrypts a secret for its plugin, to be written with [`plugins::secrets::put`].
pub fn encrypt_secret(
    cipher: &Cipher,
    plugin: &str,
    name: &str,
    value: &str,
    now: i64,
) -> std::result::Result<PluginSecret, EncryptionError> {
    Ok(PluginSecret {
        plugin_name: plugin.to_owned(),
        name: name.to_owned(),
        sealed: cipher.encrypt(Purpose::PluginSecret, &place(plugin, name), value.as_bytes())?,
        updated_at: now,
    })
}
