//! Claimsmith: an identity service whose tokens and webhooks are programmable by sandboxed plugins.
//!
//! This crate is the commands, the start of the server, its connections and the routes that no other crate has; below it
//! are the crates of the other folders. `docs/architecture.md` has the map of the folders.

pub mod cli;
pub(crate) mod default_plugins;
pub mod http;
pub mod server;
pub(crate) mod serving;
