//! The commands that call the Management API of a running server. `connection` has the server and the credentials,
//! `login` signs people in, `client` sends requests, `refusal` prints errors; the other modules are the commands.

mod client;
mod connection;
mod findings;
mod http;
mod login;
mod logins;
mod oauth;
mod refusal;

pub(crate) mod deploy;
pub(crate) mod grants;
mod lines;
pub(crate) mod logs;
pub(crate) mod plugins;
pub(crate) mod population_runs;
pub(crate) mod recordings;
pub(crate) mod rollout_samples;
pub(crate) mod rollouts;
pub(crate) mod secrets;
pub(crate) mod trial;
pub(crate) mod versions;

use crate::view;
pub(crate) use client::{Remote, SuccessResponse, connect};
pub(crate) use connection::ServerArgs;
pub use connection::VARIABLES;
pub use login::{LoginArgs, login, logout};
pub(crate) use refusal::ServerRefusal;

/// The scopes of the Management API that the commands need.
const READ: &str = "plugins:read";
pub(crate) const WRITE: &str = "plugins:write";
const GRANT: &str = "plugins:grant";
const RECORDINGS: &str = "plugins:recordings";

/// A usage error: an invalid combination of arguments.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

impl Usage {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
