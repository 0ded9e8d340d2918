//! The endpoints at which clients authenticate. A client assertion of an application with the legacy setting may name
//! the one that is called.

/// An endpoint at which clients authenticate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEndpoint {
    /// RFC 6749 section 3.2.
    Token,
    /// RFC 7662.
    Introspection,
    /// RFC 7009.
    Revocation,
    /// RFC 9126.
    PushedRequest,
    /// RFC 8628 section 3.1.
    DeviceAuthorization,
}

impl ClientEndpoint {
    /// Every one.
    pub const ALL: [Self; 5] =
        [Self::Token, Self::Introspection, Self::Revocation, Self::PushedRequest, Self::DeviceAuthorization];

    /// The path below the issuer.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Token => "/token",
            Self::Introspection => "/token/introspection",
            Self::Revocation => "/token/revocation",
            Self::PushedRequest => "/request",
            Self::DeviceAuthorization => "/device/auth",
        }
    }

    /// The URL, as the discovery document has it.
    #[must_use]
    pub fn url(self, issuer: &str) -> String {
        format!("{issuer}{}", self.path())
    }
}
