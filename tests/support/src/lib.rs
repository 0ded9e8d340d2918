//! Shared test support. A test runs over real HTTP against a server with a database of its own: always an SQLite file,
//! and a fresh PostgreSQL database when `TEST_DATABASE_URL` names a server (see [`both!`]).
#![expect(clippy::unwrap_used, clippy::panic, clippy::missing_panics_doc, reason = "a test may panic")]

mod actor;
mod answer;
mod api;
mod authenticator;
mod breached;
mod browser;
mod client_key;
mod command_output;
mod concurrent_changes;
mod console;
mod database;
mod disk;
mod form;
mod home;
mod hot_swap;
mod inbox;
mod jwt;
mod plugin_signer;
mod process;
mod proxy;
mod puzzle;
mod receiver;
mod relay;
mod server;
mod template;
mod tests;
mod totp;
mod until;
mod upload;
mod upstream;
mod wire;

pub mod fuzzed;
pub mod seed;

pub use actor::Actor;
pub use answer::Answer;
pub use api::Api;
pub use authenticator::Authenticator;
pub use breached::{BREACHED_PASSWORD, breached_file};
pub use browser::{Browser, page_of, told};
pub use client_key::ClientKey;
pub use command_output::CommandOutput;
pub use concurrent_changes::ConcurrentChanges;
pub use console::CONSOLE_PASSWORD;
pub use database::Kind;
pub use disk::SmallDisk;
pub use form::Form;
pub use home::Home;
pub use hot_swap::{HotSwap, Swapped};
pub use inbox::{Inbox, Mailed};
pub use jwt::Jwt;
pub use plugin_signer::PluginSigner;
pub use process::Process;
pub use proxy::PostgresProxy;
pub use puzzle::solve_puzzle;
pub use receiver::{Received, Receiver, Reply};
pub use relay::{Mail, MailRelay, RelayReply, Security};
pub use server::TestServer;
pub use tests::{Fixture, tell};
pub use totp::one_time_password;
pub use until::{in_time, until};
pub use upload::{multipart, png};
pub use upstream::{Spoil, UPSTREAM_CLIENT, UPSTREAM_SECRET, Upstream, parameters};
pub use wire::Wire;

/// The grant type of a token exchange.
pub const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
/// The type of subject and actor tokens.
pub const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
