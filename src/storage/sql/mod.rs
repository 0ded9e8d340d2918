//! The SQL layer of the repository functions: connections and transactions over two databases, statements, documents,
//! list conditions, searches, queues, and statement timeouts.

pub(in crate::storage) mod column;
pub(in crate::storage) mod conditions;
pub(in crate::storage) mod containing;
pub(in crate::storage) mod db;
pub(in crate::storage) mod document;
pub(in crate::storage) mod error;
pub(in crate::storage) mod filter;
pub(in crate::storage) mod links;
pub(in crate::storage) mod migrate;
pub(in crate::storage) mod outbox;
pub(in crate::storage) mod queue;
pub(in crate::storage) mod search;
pub(in crate::storage) mod searchable;
pub(in crate::storage) mod shared_document;
pub(in crate::storage) mod slice;
pub(in crate::storage) mod statement;
pub(in crate::storage) mod statement_timeout;
mod to_the_end;
