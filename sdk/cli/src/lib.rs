//! The commands of plugin authors, `claimsmith plugin …`: `desk` has the local ones, which use the server's own
//! runtime; `remote` those that call the Management API of a running server, and `registry` those of plugins in registries.
//!
//! The server's binary includes them, and tells them how to find the server of its machine ([`LocalServer`]); the
//! binary `claimsmith-desk` has only them. This crate does not depend on the server.

mod apply;
mod case_args;
mod case_files;
pub mod completions;
mod desk;
mod local_server;
mod plugin;
mod registry;
mod registry_args;
mod remote;
mod secret;
pub mod terminal;
mod view;

pub use local_server::{FindLocal, LocalServer, ManagementApplication};
pub use plugin::{PluginArgs, run};
pub use registry::{accepts_manifest, accepts_reference};
pub use remote::{LoginArgs, VARIABLES, login, logout};
