//! The configuration: a TOML file, environment variables, and flags; each later layer overrides the earlier ones, key
//! by key.
//!
//! `keys` is the table of all keys; parsing, hints, `--help` and the documentation are generated from it. To add a key:
//! add one row there and one field in its section. Unknown keys are refused, all problems are reported at once, and
//! secrets are masked. The crate also sets up what every server process needs first: folders, logs and metrics.

mod args;
mod audit;
mod avatars;
mod base_url;
mod bootstrap;
pub mod client;
mod database;
mod describe;
mod egress;
mod emails;
mod encryption;
mod error;
pub mod folder;
mod header_name;
mod held_log;
mod keys;
mod layers;
mod load;
mod log;
mod network;
mod passwords;
mod plugins;
mod served;
mod server;
mod sessions;
pub mod telemetry;
mod tokens;
mod units;
mod webhooks;

#[cfg(test)]
mod tests;

/// The placeholder that is shown in place of a secret.
const MASK: &str = "***";

pub use args::ConfigArgs;
pub use audit::AuditConfig;
pub use avatars::AvatarsConfig;
pub use base_url::BaseUrl;
pub use bootstrap::BootstrapConfig;
pub use database::{DatabaseConfig, DatabaseUrl};
pub use describe::{Setting, reference};
pub use egress::EgressConfig;
pub use emails::EmailsConfig;
pub use encryption::{EncryptionConfig, EncryptionKey};
pub use error::{ConfigError, ConfigProblem};
pub use header_name::HttpHeaderName;
pub use held_log::LogHold;
pub use layers::ValueSource;
pub use load::Config;
pub use log::{LogConfig, LogFormat};
pub use network::Network;
pub use passwords::PasswordsConfig;
pub use plugins::{PluginsConfig, TrustConfig};
pub use served::ServedSettings;
pub use server::ServerConfig;
pub use sessions::SessionsConfig;
pub use tokens::{SigningAlgorithm, TokensConfig};
pub use webhooks::WebhooksConfig;
