//! The operator: the user at the browser, authenticated by the server's sign-in.

use std::fmt;
use std::sync::Arc;

/// The signed-in user of the console. The server adds it to the extensions of every request.
#[derive(Clone)]
pub struct Operator {
    /// The user's id.
    pub user_id: Arc<str>,
    /// The display name: name, username or email.
    pub name: Arc<str>,
    /// The user's console roles.
    pub roles: Arc<[OperatorRole]>,
    /// The CSRF token of every form. It does not change with a fresh sign-in in the same session, so that open forms
    /// stay valid.
    pub csrf: Arc<str>,
    /// Tokens derived from earlier encryption keys, for forms that were opened before a key rotation.
    pub earlier_csrf: Arc<[String]>,
    /// The server's session data, for [`crate::Api`].
    pub session: Arc<dyn std::any::Any + Send + Sync>,
}

/// A console role (`docs/decisions/people-who-administer.md`).
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
    /// The title for display.
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
    /// The titles of all roles for display.
    #[must_use]
    pub(crate) fn titles(&self) -> String {
        self.roles.iter().map(|role| role.title()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Omits the CSRF token.
        formatter
            .debug_struct("Operator")
            .field("user_id", &self.user_id)
            .field("roles", &self.roles)
            .finish_non_exhaustive()
    }
}
