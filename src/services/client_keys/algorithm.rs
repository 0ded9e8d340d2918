//! The algorithms of client assertions: only asymmetric ones. An HMAC would need the client secret, of which the server
//! stores only a hash, and `none` proves nothing.

/// A JWS algorithm (RFC 7518 section 3.1, RFC 8037, RFC 9864).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    name: &'static str,
    pub(super) verifies: jsonwebtoken::Algorithm,
    pub(super) kind: KeyKind,
}

/// The kind of a key by its `kty` and `crv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    Rsa,
    P256,
    P384,
    Ed25519,
}

const fn row(name: &'static str, verifies: jsonwebtoken::Algorithm, kind: KeyKind) -> Algorithm {
    Algorithm { name, verifies, kind }
}

impl Algorithm {
    /// Every one that is accepted.
    pub const ALL: [Self; 10] = [
        row("ES256", jsonwebtoken::Algorithm::ES256, KeyKind::P256),
        row("ES384", jsonwebtoken::Algorithm::ES384, KeyKind::P384),
        row("EdDSA", jsonwebtoken::Algorithm::EdDSA, KeyKind::Ed25519),
        // Another name of the same (RFC 9864).
        row("Ed25519", jsonwebtoken::Algorithm::EdDSA, KeyKind::Ed25519),
        row("PS256", jsonwebtoken::Algorithm::PS256, KeyKind::Rsa),
        row("PS384", jsonwebtoken::Algorithm::PS384, KeyKind::Rsa),
        row("PS512", jsonwebtoken::Algorithm::PS512, KeyKind::Rsa),
        row("RS256", jsonwebtoken::Algorithm::RS256, KeyKind::Rsa),
        row("RS384", jsonwebtoken::Algorithm::RS384, KeyKind::Rsa),
        row("RS512", jsonwebtoken::Algorithm::RS512, KeyKind::Rsa),
    ];

    /// Its name in JOSE headers.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The algorithm of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name == name)
    }
}
