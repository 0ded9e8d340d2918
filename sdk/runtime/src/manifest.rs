//! `NAME.toml`, the settings beside a plugin: its filters, order, limits, environment variables, secrets and
//! capabilities. The server and the harness parse it with the same code.
//!
//! A manifest is optional and every key has a default. Unknown keys, empty lists and filter values that could never
//! match are refused: a mandatory plugin that silently applies to nothing is worse than one that does not load.

mod breaker;
mod cache;
mod encoded;
mod error;
mod filter;
mod header_template;
mod host;
mod http;
mod kind;
mod limits;
mod recording;
mod secret;

pub use breaker::{BreakerSettings, OnOpen};
pub use cache::CacheCapability;
pub use error::ManifestError;
pub use filter::TokenKind;
pub use header_template::HeaderTemplate;
pub use host::HostPattern;
pub use http::{Capabilities, HttpCapability};
pub use kind::OnError;
pub use limits::{LimitSettings, MAX_LIMITS};
pub use recording::RecordingSettings;
pub use secret::{SecretError, SecretSource, Secrets};

pub(crate) use http::{not_granted, shown};

use crate::json;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

/// The settings of one plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manifest {
    /// Plugins run in ascending order, those of one order by name. Default 0.
    pub order: i32,
    /// Whether it runs at all. Default true.
    pub enabled: bool,
    /// What a failure of the plugin means; the default is that of its kind ([`Self::on_error`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_error: Option<OnError>,
    /// The tokens that it applies to. Default: all but id tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_kinds: Option<Vec<TokenKind>>,
    /// The grant types that it applies to; absent means all.
    pub grant_types: Option<Vec<String>>,
    /// The client ids that it applies to; absent means all.
    pub applications: Option<Vec<String>>,
    /// The resource indicators that it applies to; absent means all, and tokens without a resource too.
    pub resources: Option<Vec<String>>,
    /// The events that a webhook transform applies to: names, families such as `User.*`, or `*`; absent means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<String>>,
    /// The ids or names of the hooks whose deliveries it applies to; absent means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Vec<String>>,
    /// What one call may use, where it differs from the server's own setting.
    pub limits: LimitSettings,
    /// When it is no longer called because it keeps failing.
    #[serde(skip_serializing_if = "BreakerSettings::is_default")]
    pub breaker: BreakerSettings,
    /// The plugin's `environmentVariables`.
    pub environment: BTreeMap<String, String>,
    /// More of them, whose values come from elsewhere and are shown nowhere.
    pub secrets: BTreeMap<String, SecretSource>,
    /// What it may do beyond reading its input.
    pub capabilities: Capabilities,
    /// What recordings of its calls may keep as it is.
    #[serde(skip_serializing_if = "RecordingSettings::is_empty")]
    pub recording: RecordingSettings,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            order: 0,
            enabled: true,
            on_error: None,
            token_kinds: None,
            grant_types: None,
            applications: None,
            resources: None,
            events: None,
            hooks: None,
            limits: LimitSettings::default(),
            breaker: BreakerSettings::default(),
            environment: BTreeMap::new(),
            secrets: BTreeMap::new(),
            capabilities: Capabilities::default(),
            recording: RecordingSettings::default(),
        }
    }
}

impl Manifest {
    /// Reads a manifest; `file` is its name for errors, which never show a value of `[secrets]`.
    pub fn parse(file: &str, text: &str) -> Result<Self, ManifestError> {
        let deserializer =
            toml::Deserializer::parse(text).map_err(|error| ManifestError::from_toml(file, text, "", &error))?;
        let manifest: Self = serde_path_to_error::deserialize(deserializer).map_err(|error| {
            let path = error.path().to_string();
            ManifestError::from_toml(file, text, &path, error.inner())
        })?;
        manifest.checked(file)
    }

    /// The same with the same keys in JSON.
    pub fn parse_json(file: &str, text: &str) -> Result<Self, ManifestError> {
        let read = json::read_at_path(text, json::INCOMING);
        let manifest: Self = read.map_err(|(path, error)| {
            // What follows the end belongs to no key.
            ManifestError::from_json(file, if path == "end" { "" } else { &path }, &error)
        })?;
        manifest.checked(file)
    }

    fn checked(self, file: &str) -> Result<Self, ManifestError> {
        self.check().map_err(|(key, message)| ManifestError::new(file, &key, message))?;
        Ok(self)
    }

    /// The values of `[secrets]`. Relative paths start at `folder`, the manifest's own.
    pub fn resolve_secrets(&self, folder: &Path) -> Result<Secrets, SecretError> {
        Secrets::resolve(&self.secrets, folder)
    }

    /// The settings as a file has them, without empty sections.
    ///
    /// # Errors
    /// None that is known: every value of a manifest has a form in TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let mut settings = toml::Table::try_from(self)?;
        settings.retain(|_, value| value.as_table().is_none_or(|section| !section.is_empty()));
        // As a value, since a table alone writes its sections in between its keys.
        toml::to_string(&toml::Value::Table(settings))
    }

    /// What a call is given as `environmentVariables`: `[environment]` and the secrets, but for those that the host fills
    /// in itself.
    #[must_use]
    pub fn variables(&self, secrets: &Secrets) -> Arc<[(String, String)]> {
        let plain = self.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
        let filled = self.header_secrets();
        let given = secrets.pairs().iter().filter(|(name, _)| !filled.contains(name.as_str()));
        plain.chain(given.cloned()).collect()
    }

    /// The names of the secrets that the host fills in itself, which the plugin never sees.
    #[must_use]
    pub fn header_secrets(&self) -> BTreeSet<&str> {
        self.capabilities.http.iter().flat_map(HttpCapability::header_secrets).collect()
    }

    /// As [`Self::parse`], for settings that do not come from a file; `origin` stands for its name in errors.
    pub fn validate(&self, origin: &str) -> Result<(), ManifestError> {
        self.check().map_err(|(key, message)| ManifestError::new(origin, &key, message))
    }

    /// What the types cannot say. The error is a key and what is wrong with it.
    fn check(&self) -> Result<(), (String, String)> {
        self.check_filters()?;
        self.limits.check()?;
        self.breaker.check()?;
        self.recording.check()?;
        if let Some(http) = &self.capabilities.http {
            http.check().map_err(|(key, message)| (format!("capabilities.http.{key}"), message))?;
        }
        if let Some(cache) = &self.capabilities.cache {
            cache.check().map_err(|(key, message)| (format!("capabilities.cache.{key}"), message))?;
        }
        let plain = self.environment.keys().map(|name| ("environment", name));
        for (section, name) in plain.chain(self.secrets.keys().map(|name| ("secrets", name))) {
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err((format!("{section}.{name}"), "this is not a name of a variable".to_owned()));
            }
        }
        match self.secrets.keys().find(|name| self.environment.contains_key(*name)) {
            Some(name) => Err((format!("secrets.{name}"), "the same name stands in [environment]".to_owned())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
