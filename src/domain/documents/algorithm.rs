//! Signature algorithms of tokens. `src/services/tokens/algorithm.rs` creates and uses their keys.

use serde::{Deserialize, Serialize};

/// A JWS algorithm (RFC 7518, RFC 8037).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum Algorithm {
    /// ECDSA on P-256, the default of access tokens.
    ES256,
    /// ECDSA on P-384.
    ES384,
    /// Ed25519.
    EdDSA,
    /// RSA PKCS #1 v1.5, 2048 bits, the default of id tokens.
    RS256,
}

impl Algorithm {
    /// Every algorithm, with the default for ID tokens first.
    pub const ALL: [Self; 4] = [Self::RS256, Self::ES256, Self::ES384, Self::EdDSA];

    /// Its name in JOSE headers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ES256 => "ES256",
            Self::ES384 => "ES384",
            Self::EdDSA => "EdDSA",
            Self::RS256 => "RS256",
        }
    }

    /// Parses the name of an algorithm.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }
}
