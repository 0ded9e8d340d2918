//! Errors of issuing a token, apart from refusals.

use super::algorithm::KeyError;
use super::keys;
use crate::supervisor::Panicked;
use claimsmith_domain::random::RandomError;
use claimsmith_storage as storage;

/// An internal failure, not caused by the caller.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// See [`storage::Error`].
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// See [`keys::Error`].
    #[error(transparent)]
    Keys(#[from] keys::Error),
    /// See [`KeyError`].
    #[error(transparent)]
    Key(#[from] KeyError),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// A row that this version cannot read.
    #[error("the database holds an unreadable {0}")]
    Corrupt(&'static str),
    /// See [`Panicked`].
    #[error("a request's task failed: {0}")]
    Panicked(#[from] Panicked),
    /// The server has just started, and a plugin that applies to the token is not loaded yet.
    #[error("the server has just started, and a plugin that applies to the token is not loaded yet")]
    PluginsLoading,
    /// The write queue is closed or full: the server is stopping or overloaded.
    #[error("the write queue is full or closed")]
    Busy,
}
