//! The Management API, told over HTTP: every family's story, and what it must refuse.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod access;
mod applications;
mod bad_input;
mod bodies;
mod concurrency;
mod configs;
mod dashboard;
mod events;
mod fixtures;
mod hooks;
mod impersonations;
mod logs;
mod openapi;
mod organization_bodies;
mod organization_invitations;
mod organization_members;
mod organization_roles;
mod organizations;
mod pages;
mod plugin_trials;
mod plugins;
mod resources;
mod role_holders;
mod roles;
mod search;
mod secrets;
mod subject_tokens;
mod token_scripts;
mod transforms;
mod user_data;
mod user_roles;
mod users;
