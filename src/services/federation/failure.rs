//! Errors of a sign-in at an upstream. Messages of the upstream are not repeated, because they may contain anything.

use crate::egress::EgressError;

/// Why there is no account.
#[derive(Debug, thiserror::Error)]
pub enum FederationFailure {
    /// The upstream cannot be asked.
    #[error("the upstream cannot be reached: {0}")]
    Unreachable(#[from] EgressError),
    /// It takes too long.
    #[error("the upstream takes too long")]
    Slow,
    /// It failed a moment ago, and is not asked again so soon.
    #[error("the upstream failed a moment ago")]
    FailedBefore,
    /// Its answer cannot be understood.
    #[error("{0}")]
    Malformed(&'static str),
    /// It answered with this status.
    #[error("the upstream answers with status {0}")]
    Status(u16),
    /// The configuration cannot be used.
    #[error("the configuration of the upstream cannot be used: {0}")]
    Configuration(&'static str),
    /// Somebody else answered than was asked (mix-up).
    #[error("the answer does not come from the issuer that was asked")]
    Issuer,
    /// The code was not taken.
    #[error("the upstream refused the authorization code: {0}")]
    Code(String),
    /// The id token proves nothing.
    #[error("the id token is refused: {0}")]
    IdToken(&'static str),
    /// The profile is somebody else's, or there is none.
    #[error("the profile is refused: {0}")]
    Profile(&'static str),
    /// The profile has no id.
    #[error("the profile has no id that can be stored")]
    NoId,
}

impl FederationFailure {
    /// What whoever comes back is told, and the audit log: nothing of where the server's requests go.
    #[must_use]
    pub fn told(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "The other server cannot be reached.",
            Self::Slow => "The other server takes too long.",
            Self::FailedBefore => "The other server failed a moment ago. Try again later.",
            Self::Malformed(_) => "The answer of the other server cannot be understood.",
            Self::Status(_) => "The other server answers with an error.",
            Self::Configuration(_) => "The configuration of the connector cannot be used.",
            Self::Issuer => "The answer does not come from the server that was asked.",
            Self::Code(_) => "The other server refused the authorization code.",
            Self::IdToken(why) => why,
            Self::Profile(_) => "The profile of the account at the other server cannot be trusted.",
            Self::NoId => "The other server does not say whose account it is.",
        }
    }
}
