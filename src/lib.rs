//! Claimsmith: an identity service whose tokens and webhooks are programmable by sandboxed plugins.
//!
//! Dependencies point one way: `cli → app → http → {tokens, webhooks} → {storage, plugins} → domain`; `config`, `clock`, `random`
//! and `seal` are leaves, and `egress` is the one door out of the machine. The README has the map of the folders.

pub mod app;
pub mod bootstrap;
pub mod cli;
pub mod clock;
pub mod config;
pub mod deployments;
pub mod domain;
pub mod egress;
pub mod folder;
pub mod http;
pub mod lifecycle;
pub mod passwords;
pub mod plugin_log;
pub mod plugins;
pub mod random;
pub mod seal;
pub mod second_factors;
pub mod server;
pub mod storage;
pub mod sweep;
pub mod telemetry;
pub mod tokens;
pub mod webhooks;
