//! Claimsmith: an identity service whose tokens and webhooks are programmable by sandboxed plugins.
//!
//! Dependencies point one way: `cli → app → http → accounts → {tokens, webhooks} → {storage, plugins} → domain`;
//! `config`, `clock`, `random` and `encryption` are leaves, and every request to another server goes through `egress`.
//! `docs/architecture.md` has the map of the folders.

pub mod accounts;
pub mod app;
pub mod audit;
pub mod bootstrap;
pub mod cli;
pub mod clock;
pub mod concurrency_limit;
pub mod config;
pub mod deployments;
pub mod domain;
pub mod egress;
pub mod encryption;
pub mod folder;
pub mod http;
pub mod passwords;
pub mod plugins;
pub mod random;
pub mod refusal_sampling;
pub mod retention;
pub mod server;
pub mod serving;
pub mod storage;
pub mod supervisor;
pub mod telemetry;
pub mod tokens;
pub mod unit_of_work;
pub mod webhooks;
