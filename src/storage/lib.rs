//! The only module with SQL: one text and one function for both databases.
//!
//! Rules: use only the SQL that SQLite and PostgreSQL share (`$1`, `RETURNING`, `ON CONFLICT`); where they differ,
//! branch on [`Tx::dialect`]. Repository functions take `&mut Tx`, never a pool. Absence is `Option`, a conflict is
//! [`Error::Conflict`]. To add a table: add a migration with the same number in both folders, a file here, and its
//! functions in `tests/storage`. The SQL layer below the repository functions is in `sql`.

// The derive macro refers to this crate by its external name.
extern crate self as claimsmith_storage;

pub mod access_control;
pub mod applications;
pub mod audit;
pub mod connectors;
pub mod consent_scopes;
pub mod console;
pub mod doctor;
pub mod encrypted;
pub mod hooks;
pub mod issuing;
pub mod messages;
pub mod nodes;
pub mod organizations;
pub mod plugins;
pub mod resources;
pub mod revisions;
pub mod roles;
pub mod sessions;
pub mod settings;
pub mod sign_in;
pub mod signing_keys;
pub mod statistics;
pub mod users;
pub mod verification;

mod sql;

pub use claimsmith_storage_derive::Row;
pub use sql::column::{Bind, Column, Row, Source};
pub use sql::db::{Db, Dialect, Tx};
pub use sql::document::{Document, Json, UNREADABLE};
pub use sql::error::{Error, Result};
pub use sql::links::{LinkChanges, LinkOwner, Linked, Links};
pub use sql::migrate::{lock_bootstrap, migrate, schema_version};
pub use sql::outbox::Outbox;
pub use sql::queue::{Lease, RetryDecision};
pub use sql::shared_document::SharedDocument;
pub use sql::slice::Slice;
pub use sql::statement::Stmt;
