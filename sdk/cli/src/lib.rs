//! The commands of plugin authors, `claimsmith plugin …`: `desk` has those that run on the author's machine, on the
//! server's own runtime; `remote` those that ask a running server over its Management API.
//!
//! The server's binary includes them, and tells them how to find the server of its machine ([`LocalServer`]);
//! `claimsmith-desk` is nothing but them. This crate knows nothing of the server.

mod case_args;
pub mod completions;
mod desk;
mod local;
mod plugin;
mod remote;
mod secret;
pub mod terminal;
mod view;

pub use local::{FindLocal, LocalServer, ManagementApplication};
pub use plugin::{PluginArgs, run};
pub use remote::VARIABLES;
