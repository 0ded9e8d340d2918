//! Errors of a sign-in at an upstream. Messages of the upstream are not repeated, because they may contain anything.

use crate::egress::EgressError;

/// The reason that there is no account.
#[derive(Debug, thiserror::Error)]
pub enum FederationFailure {
    /// The upstream cannot be asked.
    #[error("the upstream cannot be reached: {0}")]
    Unreachable(#[from] EgressError),
    /// It takes too long.
    #[error("the upstream takes too long")]
    Slow,
    /// It failed a moment ago, and the next request is delayed.
    #[error("the upstream failed a moment ago")]
    FailedBefore,
    /// Its response is malformed.
    #[error("{0}")]
    Malformed(&'static str),
    /// It answered with this status.
    #[error("the upstream answers with status {0}")]
    Status(u16),
    /// The configuration cannot be used.
    #[error("the configuration of the upstream cannot be used: {0}")]
    Configuration(&'static str),
    /// Another issuer answered than the requested one (mix-up).
    #[error("the answer does not come from the issuer that was asked")]
    Issuer,
    /// The code was refused.
    #[error("the upstream refused the authorization code: {0}")]
    Code(String),
    /// The ID token is invalid.
    #[error("the id token is refused: {0}")]
    IdToken(&'static str),
    /// The profile belongs to another account, or there is none.
    #[error("the profile is refused: {0}")]
    Profile(&'static str),
    /// The profile has no id.
    #[error("the profile has no id that can be stored")]
    NoId,
}

impl FederationFailure {
    /// Whether the upstream could not be reached or did not do its part, whatever the user and the settings are.
    pub(super) fn is_outage(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Slow | Self::FailedBefore | Self::Malformed(_) => true,
            Self::Status(status) => *status >= 500,
            Self::Configuration(_)
            | Self::Issuer
            | Self::Code(_)
            | Self::IdToken(_)
            | Self::Profile(_)
            | Self::NoId => false,
        }
    }

    /// The message for the returning user and the audit log: it reveals nothing of where the server's requests go.
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
