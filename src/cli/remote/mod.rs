//! The commands that ask a running server over its Management API. `connection` says which server and as whom, `client`
//! asks, `refusal` tells what a server did not do and why; the rest are the commands.

mod client;
mod connection;
mod findings;
mod refusal;
mod sse;

pub(super) mod deploy;
pub(super) mod grants;
pub(super) mod logs;
pub(super) mod plugins;
pub(super) mod secrets;
pub(super) mod trial;
pub(super) mod versions;

use super::view;
use client::Answer;
pub(super) use client::{Remote, connect};
pub(super) use connection::ServerArgs;
pub(super) use refusal::Refusal;

/// What the commands may do, as the scopes of the Management API name it.
const READ: &str = "plugins:read";
const WRITE: &str = "plugins:write";
const GRANT: &str = "plugins:grant";

/// A call of the command that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(String);

impl Usage {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
