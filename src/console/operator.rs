//! The person at the browser (operator), as the server's sign-in has authenticated them.

use std::fmt;
use std::sync::Arc;

/// Somebody who is signed in at the console. The server puts it into the extensions of every request.
#[derive(Clone)]
pub struct Operator {
    /// The user's id.
    pub user_id: Arc<str>,
    /// How they are called: their name, user name or address.
    pub name: Arc<str>,
    /// The console's roles that they hold.
    pub roles: Arc<[OperatorRole]>,
    /// The token that every form sends back. It stays the same when they sign in again within a session, so that forms
    /// that are open go on working.
    pub csrf: Arc<str>,
    /// What it was under earlier encryption keys, for forms that have been open since.
    pub earlier_csrf: Arc<[String]>,
    /// What the server keeps of the session, for [`crate::Api`].
    pub session: Arc<dyn std::any::Any + Send + Sync>,
}

/// A role of people who administer (`docs/decisions/people-who-administer.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorRole {
    /// `console:read`.
    Read,
    /// `console:support`.
    Support,
    /// `console:developer`.
    Developer,
    /// `console:admin`.
    Administrator,
}

impl OperatorRole {
    /// As people read it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Read => "Reader",
            Self::Support => "Support",
            Self::Developer => "Developer",
            Self::Administrator => "Administrator",
        }
    }
}

impl Operator {
    /// The roles as people read them.
    #[must_use]
    pub(crate) fn titles(&self) -> String {
        self.roles.iter().map(|role| role.title()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the token of the forms.
        formatter
            .debug_struct("Operator")
            .field("user_id", &self.user_id)
            .field("roles", &self.roles)
            .finish_non_exhaustive()
    }
}
