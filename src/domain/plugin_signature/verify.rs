//! Finds the trusted key that made a signature, or says why there is none.

use super::format::FormatError;
use super::key::TrustedKey;
use super::signature::{Form, Signature, SourceSignature};
use crate::clock::iso8601;

/// Why it is not known that somebody who is trusted signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// There is no signature.
    #[error("it is not signed")]
    Unsigned,
    /// The signature cannot be read.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// The file of the signature cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// What was signed states the digest of other bytes.
    #[error("its signature is of another file: the digest that it states is not that of these bytes")]
    OtherFile,
    /// The bundle names a trusted key, which did not sign these bytes.
    #[error("its signature is wrong: it is not that of key {0} for these bytes")]
    Wrong(String),
    /// The bundle names a key that is not trusted.
    #[error("it is signed with a key that is not among the trusted ones")]
    UnknownKey,
    /// No trusted key made the signature, which does not say which key it is of.
    #[error("its signature is of no trusted key, or of another file")]
    NoKey,
    /// The key has expired.
    #[error("it is signed with key {name}, which expired at {}", iso8601(*expires))]
    Expired {
        /// The key's name.
        name: String,
        /// Unix milliseconds.
        expires: i64,
    },
}

/// The key that signed these bytes, if it is one of `keys` and has not expired at `now`, Unix milliseconds. What the text
/// of the signature says of itself is only used to say what is wrong.
pub fn verify<'k>(
    keys: &'k [TrustedKey],
    message: &[u8],
    signature: Option<&[u8]>,
    now: i64,
) -> Result<&'k TrustedKey, Distrust> {
    match Signature::parse(signature.ok_or(Distrust::Unsigned)?)?.0 {
        Form::Source(SourceSignature { bytes, digest, hint }) => {
            if digest.is_some_and(|digest| !digest.is_of(message)) {
                return Err(Distrust::OtherFile);
            }
            find(keys, now, hint.as_deref(), |key| key.has_signed(message, &bytes))
        }
        Form::Registry(registry) => {
            if !registry.is_of(message) {
                return Err(Distrust::OtherFile);
            }
            let has_signed = |key: &TrustedKey| registry.signed.iter().any(|(text, by)| key.has_signed(text, by));
            find(keys, now, None, has_signed)
        }
    }
}

/// The first key that signed and has not expired.
fn find<'k>(
    keys: &'k [TrustedKey],
    now: i64,
    hint: Option<&str>,
    has_signed: impl Fn(&TrustedKey) -> bool,
) -> Result<&'k TrustedKey, Distrust> {
    let mut expired = None;
    for key in keys.iter().filter(|key| has_signed(key)) {
        match key.expires().filter(|_| key.has_expired(now)) {
            None => return Ok(key),
            Some(until) => expired = Some(Distrust::Expired { name: key.name().to_owned(), expires: until }),
        }
    }
    let named = |hint: &str| match keys.iter().find(|key| key.hint() == hint) {
        Some(key) => Distrust::Wrong(key.name().to_owned()),
        None => Distrust::UnknownKey,
    };
    Err(expired.unwrap_or_else(|| hint.map_or(Distrust::NoKey, named)))
}
