//! A line of the table of operations: who may use these, and how old their sign-in may be.

use super::roles::ConsoleRole;

/// How old the sign-in of a person may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignInAge {
    /// As old as their session.
    Any,
    /// Of the last ten minutes.
    Recent,
    /// Of the last ten minutes if the request asks for what needs it; the handler sees to that.
    RecentIfAsked,
}

/// Some operations that need the same, a line of the decision's table.
pub(super) struct OperationRule {
    pub(super) roles: &'static [ConsoleRole],
    pub(super) sign_in: SignInAge,
    /// Method and route, a space between them.
    pub(super) operations: &'static [&'static str],
}
