//! Reads the uploaded plugins from the database; only rows that changed since the last read are read whole.

use super::uploads::Uploads;
use crate::encryption::{Cipher, Purpose};
use crate::plugins::trust::GivenSignature;
use crate::plugins::{ActiveVersion, RolloutPlan, StoredChange, StoredPlugin};
use claimsmith_domain::documents::rollout::{RolloutMode, RolloutState};
use claimsmith_runtime::json::{self, STORED};
use claimsmith_runtime::{CacheCapability, HttpCapability, Kind, Language, Manifest, Secrets, Source};
use claimsmith_storage::plugins::rollouts::Rollout;
use claimsmith_storage::{self as storage, Json, Tx, plugins};
use serde_json::Value;
use std::collections::BTreeMap;

/// How often a read is repeated because of concurrent changes.
const MAX_ATTEMPTS: u32 = 5;

/// The state of the database at the last read.
#[derive(Debug, Default)]
pub(super) struct LastRead {
    /// The number of changes then.
    revision: Option<i64>,
    /// Each plugin's own.
    plugins: BTreeMap<String, i64>,
    /// Whether any rollout is running, so that its end is looked for more often.
    pub(super) has_rollouts: bool,
}

impl LastRead {
    /// The plugins that were delivered, each in its revision.
    pub(super) fn delivered(&self) -> impl Iterator<Item = (&str, i64)> {
        self.plugins.iter().map(|(name, revision)| (name.as_str(), *revision))
    }

    /// Makes the next read report these plugins as changed.
    pub(super) fn forget(&mut self, names: &[String]) {
        if !names.is_empty() {
            self.revision = None;
            self.plugins.retain(|name, _| !names.contains(name));
        }
    }
}

/// All plugins in the database, whose number of changes is `revision`, or `None` if nothing has changed since `seen`. The
/// statements are not in one transaction, so the read is repeated after a concurrent change: no plugin is ever read half
/// changed.
pub(super) async fn read(
    tx: &mut Tx,
    cipher: &Cipher,
    uploads: &Uploads,
    seen: &LastRead,
    mut revision: i64,
) -> storage::Result<Option<(Vec<StoredPlugin>, LastRead)>> {
    for attempt in 1.. {
        if seen.revision == Some(revision) {
            return Ok(None);
        }
        let found = read_all(tx, cipher, uploads, seen).await?;
        let now = plugins::revision(tx).await?;
        if now == revision {
            let seen = LastRead { revision: Some(revision), ..found.1 };
            return Ok(Some((found.0, seen)));
        }
        if attempt == MAX_ATTEMPTS {
            break;
        }
        revision = now;
    }
    // The next read will succeed when the changes are over.
    Ok(None)
}

async fn read_all(
    tx: &mut Tx,
    cipher: &Cipher,
    uploads: &Uploads,
    seen: &LastRead,
) -> storage::Result<(Vec<StoredPlugin>, LastRead)> {
    let (mut found, mut now) = (Vec::new(), LastRead::default());
    let mut rollouts = plugins::rollouts::open(tx).await?;
    rollouts.retain(|rollout| rollout.state == RolloutState::Running.as_str());
    now.has_rollouts = !rollouts.is_empty();
    for row in plugins::all(tx).await? {
        now.plugins.insert(row.name.clone(), row.revision);
        let same = seen.plugins.get(&row.name) == Some(&row.revision);
        let name = row.name.clone();
        let change = if same { None } else { Some(read_one(tx, cipher, uploads, (row, &rollouts)).await?) };
        found.push(StoredPlugin { name, change });
    }
    Ok((found, now))
}

async fn read_one(
    tx: &mut Tx,
    cipher: &Cipher,
    uploads: &Uploads,
    (row, rollouts): (plugins::Plugin, &[Rollout]),
) -> storage::Result<StoredChange> {
    let mut manifest: Manifest = match serde_json::from_value(row.settings.0) {
        Ok(manifest) => manifest,
        Err(error) => {
            let error = format!("its settings cannot be read: {error}");
            let active = row.active_version.unwrap_or(row.last_version);
            let version = plugins::versions::find(tx, &row.name, active).await?;
            // Its filters are unknown. It is skipped, since otherwise one damaged row would refuse every token.
            let manifest = Some(Box::new(Manifest { enabled: false, ..Manifest::default() }));
            return Ok(StoredChange::Broken { manifest, kind: version.as_ref().and_then(kind), error });
        }
    };
    let Some(active) = row.active_version.filter(|_| manifest.enabled) else {
        return Ok(StoredChange::Resting(Box::new(manifest)));
    };
    let version = plugins::versions::find(tx, &row.name, active).await?;
    let kind = version.as_ref().and_then(kind);
    let broken = |manifest, error: &str| StoredChange::Broken {
        manifest: Some(Box::new(manifest)),
        kind,
        error: format!("version {active}: {error}"),
    };
    let Some(version) = version else { return Ok(broken(manifest, "the version is missing")) };
    let Some(language) = language(&version.language) else {
        return Ok(broken(manifest, "its language is not known to this server"));
    };
    let rollout = match rollouts.iter().find(|rollout| rollout.plugin_name == row.name) {
        Some(rollout) => read_rollout(tx, rollout, row.http_grant.clone()).await?,
        None => None,
    };
    manifest.capabilities.http = match effective(version.http, row.http_grant) {
        Ok(http) => http,
        Err(error) => return Ok(broken(manifest, &format!("its HTTP grant cannot be read: {error}"))),
    };
    manifest.capabilities.cache = match effective_cache(manifest.capabilities.cache, row.cache_grant) {
        Ok(cache) => cache,
        Err(error) => return Ok(broken(manifest, &format!("its cache grant cannot be read: {error}"))),
    };
    let source = match uploads.find(&row.name, language, &version.digest) {
        Some(source) => source,
        None => match plugins::versions::source(tx, &row.name, active).await? {
            Some(bytes) => Source::new(row.name.as_str(), language, bytes),
            None => return Ok(broken(manifest, "the version is missing")),
        },
    };
    if source.digest() != version.digest {
        return Ok(broken(manifest, "its bytes are damaged: their digest is not that of the upload"));
    }
    let secrets = match decrypt_all(cipher, plugins::secrets::list(tx, &row.name).await?) {
        Ok(secrets) => secrets,
        Err(error) => return Ok(broken(manifest, &error)),
    };
    let signature = plugins::versions::signature(tx, &row.name, active).await?;
    let signature = GivenSignature::of(signature.as_deref());
    Ok(StoredChange::Active(Box::new(ActiveVersion { manifest, source, secrets, number: active, signature, rollout })))
}

/// The version of a running rollout; `None` if it cannot be read: then the active version answers everybody.
async fn read_rollout(
    tx: &mut Tx,
    rollout: &Rollout,
    granted: Option<Json<Value>>,
) -> storage::Result<Option<Box<RolloutPlan>>> {
    let Rollout { plugin_name: name, id, version: number, .. } = rollout;
    let version = plugins::versions::find(tx, name, *number).await?;
    let source = plugins::versions::source(tx, name, *number).await?;
    let signature = plugins::versions::signature(tx, name, *number).await?;
    let plan = || {
        let (version, bytes) = version.zip(source)?;
        let source = Source::new(name.as_str(), language(&version.language)?, bytes);
        let is_whole = source.digest() == version.digest;
        Some(Box::new(RolloutPlan {
            id: id.clone(),
            mode: RolloutMode::parse(&rollout.mode)?,
            share: u8::try_from(rollout.share).ok()?,
            audience: json::read(&rollout.audience, STORED).ok()?,
            source: Some(source).filter(|_| is_whole)?,
            number: *number,
            signature: GivenSignature::of(signature.as_deref()),
            http: effective(version.http, granted).ok()?,
        }))
    };
    let plan = plan();
    if plan.is_none() {
        tracing::error!(
            plugin = name,
            version = number,
            "the rollout cannot be read: the active version answers everybody"
        );
    }
    Ok(plan)
}

/// The kind of a version, as detected at upload.
#[must_use]
pub fn kind(version: &plugins::versions::Version) -> Option<Kind> {
    serde_json::from_value(version.facts.0.get("kind")?.clone()).ok()
}

/// What is both declared and granted.
pub fn effective(
    declared: Option<Json<Value>>,
    granted: Option<Json<Value>>,
) -> serde_json::Result<Option<HttpCapability>> {
    let read = |value: Option<Json<Value>>| -> serde_json::Result<Option<HttpCapability>> {
        value.map(|value| serde_json::from_value(dated(value.0))).transpose()
    };
    let (declared, granted) = (read(declared)?, read(granted)?);
    Ok(declared.zip(granted).and_then(|(declared, granted)| declared.intersect(&granted)))
}

/// What of the cache is both declared and granted.
pub fn effective_cache(
    declared: Option<CacheCapability>,
    granted: Option<Json<Value>>,
) -> serde_json::Result<Option<CacheCapability>> {
    let granted: Option<CacheCapability> = granted.map(|granted| serde_json::from_value(granted.0)).transpose()?;
    Ok(declared.zip(granted).map(|(declared, granted)| declared.intersect(&granted)))
}

/// A capability as it is stored: it always says whether http is allowed.
pub fn stored_http(capability: &HttpCapability) -> serde_json::Result<Value> {
    let mut stored = serde_json::to_value(capability)?;
    if let Some(members) = stored.as_object_mut() {
        members.insert("plain".to_owned(), capability.plain.into());
    }
    Ok(stored)
}

/// A stored capability as it is shown: that http is not allowed goes without saying.
#[must_use]
pub fn shown_http(stored: Value) -> Value {
    let mut shown = dated(stored);
    if let Some(members) = shown.as_object_mut()
        && members.get("plain") == Some(&Value::Bool(false))
    {
        members.remove("plain");
    }
    shown
}

/// What was stored before http needed a declaration and a grant of its own allowed it, and still does.
fn dated(mut stored: Value) -> Value {
    if let Some(members) = stored.as_object_mut() {
        members.entry("plain").or_insert(Value::Bool(true));
    }
    stored
}

/// The values of secrets; the error names the one that cannot be decrypted.
pub fn decrypt_all(cipher: &Cipher, rows: Vec<plugins::secrets::PluginSecret>) -> Result<Secrets, String> {
    let value = |row: plugins::secrets::PluginSecret| {
        let opened = cipher.decrypt(Purpose::PluginSecret, &place(&row.plugin_name, &row.name), &row.sealed);
        let opened = opened.map_err(|error| format!("secret {}: {error}", row.name))?;
        let text = String::from_utf8(opened.to_vec()).map_err(|_| format!("secret {} is not UTF-8", row.name))?;
        Ok((row.name, text))
    };
    Ok(Secrets::from_pairs(rows.into_iter().map(value).collect::<Result<_, String>>()?))
}

/// The row that an encrypted secret is bound to.
pub(super) fn place(plugin: &str, secret: &str) -> String {
    format!("{plugin}/{secret}")
}

/// The language of a stored name.
#[must_use]
pub fn language(name: &str) -> Option<Language> {
    match name {
        "javascript" => Some(Language::JavaScript),
        "typescript" => Some(Language::TypeScript),
        "wasm" => Some(Language::Wasm),
        _ => None,
    }
}

/// The name under which a language is stored and shown.
#[must_use]
pub fn language_name(language: Language) -> &'static str {
    match language {
        Language::JavaScript => "javascript",
        Language::TypeScript => "typescript",
        Language::Wasm => "wasm",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deployments::change;
    use claimsmith_storage::Db;
    use serde_json::json;

    #[test]
    fn what_was_stored_before_still_allows_http() -> Result<(), Box<dyn std::error::Error>> {
        let before = json!({ "hosts": ["api.example.com"], "methods": ["GET"], "calls": 4, "kib": 256, "ms": 500 });
        let now: HttpCapability = serde_json::from_value(before.clone())?;
        let stored = stored_http(&now)?;
        assert_eq!((&stored["plain"], shown_http(stored.clone())), (&json!(false), before.clone()));
        assert_eq!(shown_http(before.clone())["plain"], true);
        for (declared, granted, is_plain) in
            [(&before, &before, true), (&before, &stored, false), (&stored, &before, false)]
        {
            let both = effective(Some(Json(declared.clone())), Some(Json(granted.clone())))?;
            let both = both.ok_or("nothing is granted")?;
            assert_eq!(both.allows("GET", "http://api.example.com/"), is_plain, "{declared} and {granted}");
            assert!(both.allows("GET", "https://api.example.com/"));
        }
        Ok(())
    }

    /// The bytes in the database were altered here, which reading detects.
    #[tokio::test]
    async fn what_this_node_is_storing_is_not_read_back() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let db = Db::connect(&format!("sqlite://{}/test.db", folder.path().display()), 2).await?;
        storage::migrate(&db).await?;
        let (cipher, uploads) = (Cipher::new([&[7; 32]])?, Uploads::default());
        let uploaded = uploads.add(Source::new("ticket", Language::JavaScript, "export {}".to_owned()));
        let mut plugin = change::new_plugin("ticket", 1);
        (plugin.active_version, plugin.last_version) = (Some(1), 1);
        let version = plugins::versions::Version {
            plugin_name: plugin.name.clone(),
            id: 1,
            digest: uploaded.digest().to_owned(),
            language: language_name(uploaded.language).to_owned(),
            size: 9,
            facts: Json(json!({ "kind": "claims" })),
            http: None,
            cases: None,
            signer: None,
            created_by: "test".to_owned(),
            label: None,
            note: None,
            created_at: 1,
        };
        let mut tx = db.begin().await?;
        plugins::begin_change(&mut tx).await?;
        change::save(&mut tx, &mut plugin, 1).await?;
        plugins::versions::insert(&mut tx, &version, b"damaged").await?;

        let change = read_one(&mut tx, &cipher, &uploads, (plugin.clone(), &[])).await?;
        let StoredChange::Active(active) = change else { return Err(format!("{change:?}").into()) };
        assert_eq!(active.source.bytes().as_ptr(), uploaded.bytes().as_ptr(), "no copy of it");
        drop(uploaded);
        let change = read_one(&mut tx, &cipher, &uploads, (plugin, &[])).await?;
        let StoredChange::Broken { error, .. } = change else { return Err(format!("{change:?}").into()) };
        assert!(error.contains("their digest is not that of the upload"), "{error}");
        Ok(())
    }
}
