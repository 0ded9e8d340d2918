//! The commands that ask a running server over its Management API. `connection` says which server and as whom, `client`
//! asks, `refusal` tells what a server did not do and why; the rest are the commands.

mod client;
mod connection;
mod findings;
mod refusal;
mod sse;

pub(crate) mod deploy;
pub(crate) mod grants;
pub(crate) mod logs;
pub(crate) mod plugins;
pub(crate) mod secrets;
pub(crate) mod trial;
pub(crate) mod versions;

use crate::view;
use client::Answer;
pub(crate) use client::{Remote, connect};
pub(crate) use connection::ServerArgs;
pub use connection::VARIABLES;
pub(crate) use refusal::Refusal;

/// What the commands may do, as the scopes of the Management API name it.
const READ: &str = "plugins:read";
const WRITE: &str = "plugins:write";
const GRANT: &str = "plugins:grant";

/// A call of the command that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

impl Usage {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
