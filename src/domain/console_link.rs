//! One-time links to the console: their purposes and lifetime.

use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

/// Lifetime of a link in milliseconds: an hour, enough to get from the terminal to a browser.
pub const LIFETIME_MS: i64 = 3_600_000;

/// The path of its page; the code is a query parameter.
pub const PATH: &str = "/console/setup";

spelled! {
/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Creates the account of the first administrator, while there is none.
    Setup = "setup",
    /// Creates the account of a further administrator.
    Invite = "invite",
    /// Sets a new password for a locked-out administrator.
    Recover = "recover",
}
}
