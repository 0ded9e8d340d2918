//! Builds [`Config`] from the layers: finds the file, validates every value, and fills in defaults that depend on other
//! keys.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Value;

use super::error::ConfigProblem;
use super::keys::KEYS;
use super::layers::{FILE_VARIABLE, Layers};
use super::{
    AuditConfig, AvatarsConfig, BootstrapConfig, ConfigArgs, ConfigError, DatabaseConfig, DatabaseUrl, EgressConfig,
    EmailsConfig, EncryptionConfig, LogConfig, PasswordsConfig, PluginsConfig, ServerConfig, SessionsConfig,
    TokensConfig, ValueSource, WebhooksConfig,
};

const DEFAULT_FILE: &str = "claimsmith.toml";

/// The complete, validated configuration.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Folder for the embedded database, generated keys and caches.
    pub data_dir: PathBuf,
    /// Addresses and times of the HTTP server.
    pub server: ServerConfig,
    /// The database.
    pub database: DatabaseConfig,
    /// Keys for secrets at rest.
    pub encryption: EncryptionConfig,
    /// Lifetimes and signing.
    pub tokens: TokensConfig,
    /// Cost of password hashing, and the list of breached passwords.
    pub passwords: PasswordsConfig,
    /// Disposable email domains.
    pub emails: EmailsConfig,
    /// Uploaded pictures.
    pub avatars: AvatarsConfig,
    /// The plugin folder and the limits of plugins.
    pub plugins: PluginsConfig,
    /// What the server may ask of others.
    pub egress: EgressConfig,
    /// Delivery of webhooks and logouts.
    pub webhooks: WebhooksConfig,
    /// Lifetimes of sessions and interactions.
    pub sessions: SessionsConfig,
    /// Retention of the audit log.
    pub audit: AuditConfig,
    /// Logging.
    pub log: LogConfig,
    /// Initial data of an empty database.
    pub bootstrap: BootstrapConfig,
    /// The source of each key that is not at its default.
    #[serde(skip)]
    pub(super) sources: BTreeMap<&'static str, ValueSource>,
}

impl Default for Config {
    fn default() -> Self {
        let data_dir = PathBuf::from("data");
        Self {
            server: ServerConfig::default(),
            database: DatabaseConfig::in_folder(&data_dir),
            data_dir,
            encryption: EncryptionConfig::default(),
            tokens: TokensConfig::default(),
            passwords: PasswordsConfig::default(),
            emails: EmailsConfig::default(),
            avatars: AvatarsConfig::default(),
            plugins: PluginsConfig::default(),
            egress: EgressConfig::default(),
            webhooks: WebhooksConfig::default(),
            sessions: SessionsConfig::default(),
            audit: AuditConfig::default(),
            log: LogConfig::default(),
            bootstrap: BootstrapConfig::default(),
            sources: BTreeMap::new(),
        }
    }
}

impl Config {
    /// The configuration of this process: file, then environment, then `args`.
    ///
    /// # Errors All problems, at once.
    pub fn load(args: &ConfigArgs) -> Result<Self, ConfigError> {
        let mut layers = Layers::default();
        let (file, must_exist) = file_to_read(args);
        add_file(&mut layers, &file, must_exist);
        let mut variables = Vec::new();
        for (name, value) in env::vars_os() {
            let Ok(name) = name.into_string() else { continue };
            match value.into_string() {
                Ok(value) => variables.push((name, value)),
                Err(_) if name.starts_with("CLAIMSMITH_") => layers.problems.push(ConfigProblem::NotUnicode { name }),
                Err(_) => {}
            }
        }
        layers.add_environment(variables);
        layers.add_flags(args);
        Self::from_layers(layers)
    }

    /// The configuration from this file text, these environment variables and `args` only.
    ///
    /// # Errors All problems, at once.
    pub fn assemble(
        file_text: Option<&str>,
        environment: impl IntoIterator<Item = (String, String)>,
        args: &ConfigArgs,
    ) -> Result<Self, ConfigError> {
        let mut layers = Layers::default();
        if let Some(text) = file_text {
            layers.add_file(DEFAULT_FILE, text);
        }
        layers.add_environment(environment);
        layers.add_flags(args);
        Self::from_layers(layers)
    }

    fn from_layers(mut layers: Layers) -> Result<Self, ConfigError> {
        // A value that its field refuses is removed and the rest is tried again, so that one run reports every problem.
        let config = loop {
            let error = match serde_path_to_error::deserialize::<_, Self>(Value::Table(layers.table.clone())) {
                Ok(config) => break Some(config),
                Err(error) => error,
            };
            let path = error.path().to_string();
            let field = path.split('[').next().unwrap_or_default();
            let reason = error.inner().message().to_owned();
            let Some(key) = KEYS.iter().find(|key| key.path == field) else {
                layers.problems.push(ConfigProblem::Unplaced(format!("{path}: {reason}")));
                break None;
            };
            layers.take_back(key, reason);
        };
        match config {
            Some(mut config) if layers.problems.is_empty() => {
                config.sources = layers.sources;
                config.follow();
                Ok(config)
            }
            _ => Err(ConfigError { problems: layers.problems }),
        }
    }

    /// Sets defaults that depend on other keys.
    fn follow(&mut self) {
        if !self.sources.contains_key("database.url") {
            self.database.url = DatabaseUrl::in_folder(&self.data_dir);
            self.note_follows("database.url", "data_dir");
        }
        if !self.sources.contains_key("plugins.cache_dir") {
            self.plugins.cache_dir = self.data_dir.join("cache");
            self.note_follows("plugins.cache_dir", "data_dir");
        }
        if !self.sources.contains_key("server.metrics_listen") && self.server.listen.port() == 0 {
            self.server.metrics_listen.set_port(0);
            self.note_follows("server.metrics_listen", "server.listen");
        }
        if !self.sources.contains_key("tokens.management_resource") {
            self.tokens.management_resource = format!("{}/api", self.server.base_url);
            self.note_follows("tokens.management_resource", "server.base_url");
        }
    }

    fn note_follows(&mut self, key: &'static str, leader: &'static str) {
        if self.sources.contains_key(leader) {
            self.sources.insert(key, ValueSource::Follows(leader));
        }
    }
}

/// The file to read, and whether it must exist.
fn file_to_read(args: &ConfigArgs) -> (PathBuf, bool) {
    let named = args.file.clone().or_else(|| env::var_os(FILE_VARIABLE).map(PathBuf::from));
    named.map_or_else(|| (PathBuf::from(DEFAULT_FILE), false), |file| (file, true))
}

fn add_file(layers: &mut Layers, file: &Path, must_exist: bool) {
    let name = file.display().to_string();
    match std::fs::read_to_string(file) {
        Ok(text) => layers.add_file(&name, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => {}
        Err(error) => layers.problems.push(ConfigProblem::Unreadable { file: name, error }),
    }
}
