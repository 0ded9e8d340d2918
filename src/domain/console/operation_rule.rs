//! A row of the table of operations: who may use them, and the maximum age of the sign-in.

use super::roles::ConsoleRole;

/// The maximum age of an administrator's sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignInAge {
    /// As old as the session.
    Any,
    /// At most ten minutes.
    Recent,
    /// At most ten minutes if the request needs it; the handler decides.
    RecentIfAsked,
}

/// Operations with the same requirements: a row of the table in the decision document.
pub(super) struct OperationRule {
    pub(super) roles: &'static [ConsoleRole],
    pub(super) sign_in: SignInAge,
    /// Method and route, separated by a space.
    pub(super) operations: &'static [&'static str],
}
