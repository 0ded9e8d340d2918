//! A public key that plugins may be signed with: Ed25519 or ECDSA P-256, with a name and perhaps an expiry.

use crate::base64;
use crate::clock::iso8601;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1, ParsedPublicKey};
use data_encoding::BASE64;
use ed25519_dalek::VerifyingKey;
use rustls_pki_types::SubjectPublicKeyInfoDer;
use rustls_pki_types::pem::PemObject as _;
use sha2::{Digest as _, Sha256, Sha512};
use std::fmt;
use std::time::UNIX_EPOCH;

/// The longest name, in characters.
const MAX_NAME_CHARS: usize = 64;
/// The longest text of a key, in bytes; one of these algorithms has less than 200.
const MAX_TEXT_BYTES: usize = 4096;
/// What precedes the 32 bytes of an Ed25519 key in a `SubjectPublicKeyInfo` (RFC 8410 section 4).
const ED25519_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// A key that is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    name: String,
    /// Unix milliseconds.
    expires: Option<i64>,
    /// `SubjectPublicKeyInfo` (RFC 5280 section 4.1).
    der: Vec<u8>,
    algorithm: Algorithm,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Algorithm {
    Ed25519(VerifyingKey),
    EcdsaP256,
}

/// Why a key is not accepted. No message quotes the key, which may be a private one by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The name is empty, too long, or has other characters.
    #[error("a name has 1 to 64 letters, digits, `.`, `-` and `_`")]
    Name,
    /// The expiry is no time.
    #[error("an expiry is a date such as 2027-01-31, or a time in UTC such as 2027-01-31T12:00:00Z")]
    Expiry,
    /// It is not PEM, or not of one public key.
    #[error("a key is the PEM of one public key (BEGIN PUBLIC KEY)")]
    Pem,
    /// Another algorithm, or not a key.
    #[error("a key is of Ed25519 or ECDSA P-256")]
    Algorithm,
    /// Not `NAME=KEY`.
    #[error("a key in one text is NAME=KEY or NAME@EXPIRY=KEY, where KEY is the base64 between the lines of its PEM")]
    Text,
}

impl TrustedKey {
    /// A key from its PEM.
    pub fn new(name: &str, pem: &str, expires: Option<&str>) -> Result<Self, KeyError> {
        if pem.len() > MAX_TEXT_BYTES {
            return Err(KeyError::Pem);
        }
        let mut sections = SubjectPublicKeyInfoDer::pem_slice_iter(pem.as_bytes());
        let (Some(Ok(der)), None) = (sections.next(), sections.next()) else { return Err(KeyError::Pem) };
        Self::of_der(name, der.as_ref(), expires)
    }

    /// A key in one text, as [`fmt::Display`] writes it: `NAME=KEY` or `NAME@EXPIRY=KEY`.
    pub fn from_text(text: &str) -> Result<Self, KeyError> {
        let (name, key) = text.trim().split_once('=').filter(|_| text.len() <= MAX_TEXT_BYTES).ok_or(KeyError::Text)?;
        let (name, expires) = match name.split_once('@') {
            Some((name, expires)) => (name, Some(expires)),
            None => (name, None),
        };
        Self::of_der(name, &base64::decode(key).ok_or(KeyError::Text)?, expires)
    }

    fn of_der(name: &str, der: &[u8], expires: Option<&str>) -> Result<Self, KeyError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || !name.chars().all(is_part) {
            return Err(KeyError::Name);
        }
        let expires = expires.map(|text| time(text).ok_or(KeyError::Expiry)).transpose()?;
        let algorithm = Algorithm::of(der).ok_or(KeyError::Algorithm)?;
        Ok(Self { name: name.to_owned(), expires, der: der.to_owned(), algorithm })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When it expires, Unix milliseconds.
    #[must_use]
    pub fn expires(&self) -> Option<i64> {
        self.expires
    }

    /// Whether it has expired by this time, Unix milliseconds.
    #[must_use]
    pub fn has_expired(&self, now: i64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// The base64 of its SHA-256, with which cosign names a key in a bundle.
    #[must_use]
    pub fn hint(&self) -> String {
        BASE64.encode(&Sha256::digest(&self.der))
    }

    /// Whether this is its signature of these bytes. Ed25519 signs the bytes or, as cosign does by default, their SHA-512
    /// (Ed25519ph, RFC 8032 section 5.1).
    #[must_use]
    pub fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.algorithm {
            Algorithm::EcdsaP256 => ParsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.der)
                .is_ok_and(|key| key.verify_sig(message, signature).is_ok()),
            Algorithm::Ed25519(key) => {
                let Ok(signature) = ed25519_dalek::Signature::from_slice(signature) else { return false };
                key.verify_strict(message, &signature).is_ok()
                    || key.verify_prehashed_strict(Sha512::new().chain_update(message), None, &signature).is_ok()
            }
        }
    }
}

impl Algorithm {
    fn of(der: &[u8]) -> Option<Self> {
        if let Some(key) = der.strip_prefix(&ED25519_PREFIX) {
            let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
            return (!key.is_weak()).then_some(Self::Ed25519(key));
        }
        // Without the structure, the library would also take a bare point.
        let is_structure = der.first() == Some(&0x30);
        (is_structure && ParsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, der).is_ok()).then_some(Self::EcdsaP256)
    }
}

/// A date, which begins at midnight, or a time; in UTC.
fn time(text: &str) -> Option<i64> {
    let whole = if text.len() == "2027-01-31".len() { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let since = humantime::parse_rfc3339(&whole).ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

impl fmt::Display for TrustedKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        if let Some(expires) = self.expires {
            write!(out, "@{}", iso8601(expires))?;
        }
        write!(out, "={}", BASE64.encode(&self.der))
    }
}
