//! The only module that writes SQL: one text and one function for two databases.
//!
//! Rules: stay inside the SQL that SQLite and PostgreSQL share (`$1`, `RETURNING`, `ON CONFLICT`); what differs asks
//! [`Tx::dialect`]. Repository functions take `&mut Tx`, never a pool. Absence is `Option`, a conflict is
//! [`Error::Conflict`]. To add a table: a migration of the same number in both folders, a file here, and its
//! functions in `tests/storage`.

pub mod activity;
pub mod announcements;
pub mod applications;
pub mod attempts;
pub mod audit;
pub mod deliveries;
pub mod dispatch;
pub mod hook_statistics;
pub mod hooks;
pub mod identities;
pub mod impersonations;
pub mod issuances;
pub mod mfa_factors;
pub mod organization_applications;
pub mod organization_invitations;
pub mod organization_jit;
pub mod organization_members;
pub mod organization_role_scopes;
pub mod organization_roles;
pub mod organization_scopes;
pub mod organizations;
pub mod outbox;
pub mod personal_access_tokens;
pub mod plugin_logs;
pub mod plugin_secrets;
pub mod plugin_versions;
pub mod plugins;
pub mod resources;
pub mod revisions;
pub mod role_holders;
pub mod role_usage;
pub mod roles;
pub mod settings;
pub mod signing_keys;
pub mod subject_tokens;
pub mod user_list;
pub mod users;

mod conditions;
mod containing;
mod db;
mod error;
mod filter;
mod links;
mod migrate;
mod search;
mod slice;
mod statement;

pub use db::{Db, Dialect, Tx};
pub use error::{Error, Result};
pub use links::{Changes, Links};
pub use migrate::{lock_bootstrap, migrate};
pub use slice::Slice;
pub use statement::{Bind, Row, Stmt};
