//! The Management API, told over HTTP: every family's story, and what it must refuse.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod access;
mod applications;
mod bad_input;
mod bodies;
mod concurrency;
mod events;
mod fixtures;
mod hooks;
mod openapi;
mod pages;
mod plugin_trials;
mod plugins;
mod resources;
mod role_holders;
mod roles;
mod search;
mod secrets;
mod token_scripts;
mod user_data;
mod user_roles;
mod users;
