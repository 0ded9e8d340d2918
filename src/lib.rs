//! Claimsmith: an identity service whose tokens and webhooks are programmable by sandboxed plugins.
//!
//! Dependencies point one way: `cli → server → http → own_account → interaction → {accounts, app} → messages → {tokens,
//! webhooks} → {storage, plugins} → domain → documents`; `config`, `clock`, `random` and `encryption` are leaves, and
//! every request to another server goes through `egress`.
//! `docs/architecture.md` has the map of the folders.

pub use claimsmith_config as config;
pub(crate) use claimsmith_config::{folder, telemetry};
pub use claimsmith_domain as domain;
pub(crate) use claimsmith_domain::base64;
pub use claimsmith_domain::{clock, documents, random};
pub use claimsmith_storage as storage;

pub(crate) mod accounts;
pub(crate) mod activity;
pub(crate) mod address_rate_limit;
pub mod app;
pub(crate) mod audit;
pub(crate) mod backchannel_logout;
pub mod bootstrap;
pub(crate) mod byte_budget;
pub(crate) mod captcha;
pub mod cli;
pub(crate) mod client_keys;
pub(crate) mod concurrency_limit;
pub(crate) mod connectors;
pub(crate) mod delivery_queue;
pub(crate) mod deployments;
pub mod egress;
pub mod encryption;
pub mod federation;
pub mod heartbeat;
pub mod http;
pub(crate) mod interaction;
pub(crate) mod messages;
pub(crate) mod own_account;
pub(crate) mod passkeys;
pub(crate) mod passwords;
pub(crate) mod pictures;
pub mod plugins;
pub(crate) mod refusal_sampling;
pub mod rekey;
pub mod retention;
pub(crate) mod row_budgets;
pub mod server;
pub(crate) mod serving;
pub mod stream_limit;
pub mod supervisor;
pub mod tokens;
pub(crate) mod unit_of_work;
pub(crate) mod verification_codes;
pub mod webhooks;
