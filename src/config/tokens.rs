//! `[tokens]`: lifetimes and signing of tokens.

use std::fmt;
use std::time::Duration;

use claimsmith_domain::documents::algorithm::Algorithm;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use super::units::seconds;

/// Lifetimes and signing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TokensConfig {
    /// Lifetime of a subject token, 10 s to an hour.
    #[serde(with = "seconds")]
    pub subject_token_ttl: Duration,
    /// Lifetime of an access token whose resource sets none, a minute to a day.
    #[serde(with = "seconds")]
    pub access_token_ttl: Duration,
    /// Signing algorithm of access tokens.
    pub signing_algorithm: SigningAlgorithm,
    /// Time that the next signing key is published before it signs.
    #[serde(with = "seconds")]
    pub key_publish_delay: Duration,
    /// Resource indicator of the Management API: an absolute URI; default `{base_url}/api`.
    #[serde(deserialize_with = "resource_indicator")]
    pub management_resource: String,
}

impl Default for TokensConfig {
    fn default() -> Self {
        Self {
            subject_token_ttl: Duration::from_mins(10),
            access_token_ttl: Duration::from_hours(1),
            signing_algorithm: SigningAlgorithm::Es256,
            key_publish_delay: Duration::from_mins(5),
            management_resource: "http://localhost:3001/api".to_owned(),
        }
    }
}

/// A signing algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SigningAlgorithm {
    /// ECDSA on P-256 with SHA-256.
    #[serde(rename = "ES256")]
    Es256,
    /// ECDSA on P-384 with SHA-384.
    #[serde(rename = "ES384")]
    Es384,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
    /// RSA PKCS #1 v1.5 with SHA-256.
    #[serde(rename = "RS256")]
    Rs256,
}

impl From<SigningAlgorithm> for Algorithm {
    fn from(configured: SigningAlgorithm) -> Self {
        match configured {
            SigningAlgorithm::Es256 => Self::ES256,
            SigningAlgorithm::Es384 => Self::ES384,
            SigningAlgorithm::EdDsa => Self::EdDSA,
            SigningAlgorithm::Rs256 => Self::RS256,
        }
    }
}

impl SigningAlgorithm {
    /// The algorithm with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Es256, Self::Es384, Self::EdDsa, Self::Rs256].into_iter().find(|one| one.as_str() == name)
    }

    /// The name in a JWT's header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::EdDsa => "EdDSA",
            Self::Rs256 => "RS256",
        }
    }
}

impl fmt::Display for SigningAlgorithm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// An absolute URI without fragment (RFC 8707), kept as written: it is compared as an exact string.
fn resource_indicator<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let text = String::deserialize(input)?;
    match Url::parse(&text) {
        Ok(url) if url.fragment().is_none() => Ok(text),
        Ok(_) => Err(serde::de::Error::custom("it has a fragment")),
        Err(error) => Err(serde::de::Error::custom(error)),
    }
}
