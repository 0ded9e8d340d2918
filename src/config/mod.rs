//! The configuration: a TOML file, environment variables, and flags; each later layer overrides the earlier ones, key
//! by key.
//!
//! `keys` is the table of all keys; parsing, hints, `--help` and the documentation are generated from it. To add a key:
//! one row there, one field in its section. Unknown keys are refused, all problems are reported at once, and secrets
//! are masked. This module depends on no other module of the server but `base64`.

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
mod keys;
mod layers;
mod load;
mod log;
mod network;
mod passwords;
mod plugins;
mod server;
mod sessions;
mod tokens;
mod units;
mod webhooks;

#[cfg(test)]
mod tests;

/// What is shown in place of a secret.
const MASK: &str = "***";

pub use args::ConfigArgs;
pub use audit::Audit;
pub use avatars::Avatars;
pub use base_url::BaseUrl;
pub use bootstrap::Bootstrap;
pub use database::{Database, DatabaseUrl};
pub use describe::{Setting, reference};
pub use egress::Egress;
pub use emails::Emails;
pub use encryption::{Encryption, EncryptionKey};
pub use error::{ConfigError, Problem};
pub use layers::Source;
pub use load::Config;
pub use log::{Log, LogFormat};
pub use network::Network;
pub use passwords::Passwords;
pub use plugins::Plugins;
pub use server::Server;
pub use sessions::Sessions;
pub use tokens::{SigningAlgorithm, Tokens};
pub use webhooks::Webhooks;
