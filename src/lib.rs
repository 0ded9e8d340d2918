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
pub(crate) use claimsmith_identity::{accounts, backchannel_logout, interaction, own_account};
pub use claimsmith_identity::{bootstrap, heartbeat, rekey, retention};
pub(crate) use claimsmith_services::{
    activity, address_rate_limit, audit, byte_budget, captcha, client_keys, concurrency_limit, connectors,
    delivery_queue, deployments, messages, passkeys, passwords, pictures, refusal_sampling, row_budgets, unit_of_work,
    verification_codes,
};
pub use claimsmith_services::{
    app, egress, encryption, federation, plugins, stream_limit, supervisor, tokens, webhooks,
};
pub use claimsmith_storage as storage;

pub mod cli;
pub mod http;
pub mod server;
pub(crate) mod serving;
