//! The SQL layer of the repository functions: connections and transactions over two databases, statements, documents,
//! list conditions, searches, queues, and statement timeouts.

pub(crate) mod column;
pub(crate) mod conditions;
pub(crate) mod containing;
pub(crate) mod db;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod filter;
pub(crate) mod links;
pub(crate) mod migrate;
pub(crate) mod outbox;
pub(crate) mod pools;
mod postgres_tls;
pub(crate) mod prefixed;
pub(crate) mod queue;
pub(crate) mod search;
pub(crate) mod searchable;
pub(crate) mod shared_document;
pub(crate) mod slice;
mod sqlite_connections;
pub(crate) mod statement;
pub(crate) mod statement_timeout;
pub(crate) mod trigrams;
mod uncancellable;
