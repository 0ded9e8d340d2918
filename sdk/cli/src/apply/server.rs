//! What a server has: its plugins, and of those that are compared also source, settings, golden cases and secrets.

use crate::remote::Remote;
use crate::view;
use anyhow::Context as _;
use claimsmith_runtime::{CacheCapability, HttpCapability, Manifest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A plugin as it is listed.
pub(super) struct Listed {
    /// Whether it is a file of the server's plugin folder.
    pub(super) is_of_folder: bool,
    /// The key of the folder that it was applied from.
    pub(super) applied_by: Option<String>,
    is_active: bool,
    granted: Option<HttpCapability>,
    granted_cache: Option<CacheCapability>,
}

/// An uploaded plugin that is compared.
pub(super) struct ServerPlugin {
    /// Its entity tag, by which a change in between is refused.
    pub(super) etag: Option<String>,
    pub(super) version: String,
    pub(super) is_active: bool,
    pub(super) language: String,
    pub(super) digest: String,
    /// `None` of a component.
    pub(super) source: Option<String>,
    pub(super) settings_text: String,
    /// `None` if this command does not know a setting.
    pub(super) settings: Option<Manifest>,
    pub(super) cases: Option<String>,
    /// That of its source.
    pub(super) signature: Option<String>,
    pub(super) secrets: BTreeSet<String>,
    /// The HTTP requests that an operator granted.
    pub(super) granted: Option<HttpCapability>,
    /// The cache that an operator granted.
    pub(super) granted_cache: Option<CacheCapability>,
    pub(super) applied_by: Option<String>,
}

/// All plugins, by name.
pub(super) async fn list(remote: &Remote) -> anyhow::Result<BTreeMap<String, Listed>> {
    let plugins = remote.get(&[]).await?.json()?;
    Ok(view::items(&plugins).iter().filter_map(listed).collect())
}

fn listed(plugin: &Value) -> Option<(String, Listed)> {
    let text = |pointer: &str| plugin.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let granted = plugin.pointer("/deployment/http/granted").cloned();
    let granted_cache = plugin.pointer("/deployment/cache/granted").cloned();
    let listed = Listed {
        is_of_folder: plugin.get("deployment").is_none_or(Value::is_null),
        applied_by: text("/deployment/appliedBy"),
        is_active: text("/deployment/activeVersion").is_some(),
        granted: granted.and_then(|granted| serde_json::from_value(granted).ok()),
        granted_cache: granted_cache.and_then(|granted| serde_json::from_value(granted).ok()),
    };
    Some((text("/name")?, listed))
}

/// The entity tag of a plugin.
pub(super) async fn etag(remote: &Remote, name: &str) -> anyhow::Result<String> {
    let answer = remote.get(&[name]).await?;
    answer.etag.with_context(|| no_etag(name))
}

fn no_etag(name: &str) -> String {
    format!("{name}: the server does not say which revision it shows")
}

impl ServerPlugin {
    pub(super) async fn read(remote: &Remote, name: &str, listed: Listed) -> anyhow::Result<Self> {
        let answer = remote.get(&[name, "source"]).await?;
        let shown = answer.json()?;
        let secrets = remote.get(&[name, "secrets"]).await?.json()?;
        let text = |member: &str| shown.get(member).and_then(Value::as_str).map(str::to_owned);
        let settings_text = text("settings").unwrap_or_default();
        let names = view::items(&secrets).iter().filter_map(|secret| secret.get("name")?.as_str());
        Ok(Self {
            etag: Some(answer.etag.clone().with_context(|| no_etag(name))?),
            version: text("version").unwrap_or_default(),
            is_active: listed.is_active,
            language: text("language").unwrap_or_default(),
            digest: text("digest").unwrap_or_default(),
            source: text("source"),
            settings: Manifest::parse(name, &settings_text).ok(),
            settings_text,
            cases: text("cases"),
            signature: text("signature"),
            secrets: names.map(str::to_owned).collect(),
            granted: listed.granted,
            granted_cache: listed.granted_cache,
            applied_by: listed.applied_by,
        })
    }
}
