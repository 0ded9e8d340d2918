//! What an administrator needs for an operation of the Management API: a role, and for some a recent sign-in.

use super::roles::ConsoleRoles;
use serde::{Deserialize, Serialize};

/// How long a sign-in counts as recent, in milliseconds: ten minutes.
pub const RECENT_MS: i64 = 10 * 60_000;

/// The maximum age of an administrator's sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignInAge {
    /// As old as the session.
    Any,
    /// At most ten minutes.
    Recent,
    /// At most ten minutes if the request needs it; the handler decides.
    RecentIfAsked,
}

/// What an operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// One of these roles.
    pub roles: ConsoleRoles,
    /// The required age of the sign-in.
    pub sign_in: SignInAge,
}

impl Operation {
    /// Whether one of these roles suffices.
    #[must_use]
    pub fn is_for(self, roles: ConsoleRoles) -> bool {
        !self.roles.and(roles).is_empty()
    }
}
