//! One-time links to the console: their purposes and lifetime.

/// Lifetime of a link in milliseconds: an hour, enough to get from the terminal to a browser.
pub const LIFETIME_MS: i64 = 3_600_000;

/// The path of its page; the code is a query parameter.
pub const PATH: &str = "/console/setup";

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Creates the account of the first administrator, while there is none.
    Setup,
    /// Creates the account of a further administrator.
    Invite,
    /// Sets a new password for a locked-out administrator.
    Recover,
}

impl Purpose {
    /// The name in the database and in the audit log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Invite => "invite",
            Self::Recover => "recover",
        }
    }

    /// Parses the name of a purpose.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Setup, Self::Invite, Self::Recover].into_iter().find(|purpose| purpose.as_str() == name)
    }
}
