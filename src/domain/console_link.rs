//! What a one-time link to the console is for, and how long it is valid.

/// How long a link is valid, in milliseconds: an hour, enough to walk from the terminal to a browser.
pub const LIFETIME_MS: i64 = 3_600_000;

/// The path of its page; the code follows as a parameter of the query.
pub const PATH: &str = "/console/setup";

/// What it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Makes the account of the first administrator, while there is none.
    Setup,
    /// Makes the account of a further administrator.
    Invite,
    /// Gives an administrator a new password who cannot get in.
    Recover,
}

impl Purpose {
    /// As it is stored, and named in the audit log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Invite => "invite",
            Self::Recover => "recover",
        }
    }

    /// The purpose of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Setup, Self::Invite, Self::Recover].into_iter().find(|purpose| purpose.as_str() == name)
    }
}
