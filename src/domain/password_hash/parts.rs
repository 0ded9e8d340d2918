//! Parts that several formats have: salts, keys, and hashes of PBKDF2.

use super::encoding::{base64, crypt, hex};
use super::{DigestFunction, PasswordHash, Pbkdf2Hash, UnreadableHash};
use std::num::NonZeroU32;

/// What a format gives.
pub(super) type Parsed = Result<PasswordHash, UnreadableHash>;

/// Bytes of a derived key: one of less would match many passwords, one of more is of no use.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 16..=512;
/// The error for text that is not base64.
pub(super) const NO_BASE64: &str = "its salt or its hash is not base64";

/// A hash of PBKDF2, checked.
pub(super) fn pbkdf2(function: DigestFunction, iterations: u32, salts: Vec<Vec<u8>>, key: Vec<u8>) -> Parsed {
    let iterations = NonZeroU32::new(iterations).ok_or("its number of iterations is 0")?;
    if function == DigestFunction::Md5 {
        return Err("PBKDF2 is supported with SHA-1, SHA-256, SHA-384 and SHA-512".into());
    }
    if salts.iter().any(Vec::is_empty) {
        return Err("it has no salt".into());
    }
    check_key(&key)?;
    Ok(PasswordHash::Pbkdf2(Pbkdf2Hash { function, iterations, salts, key }))
}

/// Refuses a derived key that is too short or too long.
pub(super) fn check_key(key: &[u8]) -> Result<(), UnreadableHash> {
    if KEY_BYTES.contains(&key.len()) {
        Ok(())
    } else {
        Err(format!("its hash has {} bytes, and {} to {} are supported", key.len(), KEY_BYTES.start(), KEY_BYTES.end())
            .into())
    }
}

/// Base64 in a hash.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, UnreadableHash> {
    base64(text).ok_or_else(|| NO_BASE64.into())
}

/// A hash of SHA-crypt, whose bytes are shuffled.
pub(super) fn unshuffled(text: &str, is_sha512: bool) -> Option<Vec<u8>> {
    let (size, triples, step) = if is_sha512 { (64, 21, 22) } else { (32, 10, 21) };
    let written = crypt(text, size)?;
    let mut hash = written.clone();
    for triple in 0..triples {
        let first = triple * step % (triples * 3);
        for (place, from) in [(0, 2), (1, 1), (2, 0)] {
            *hash.get_mut((first + place * triples) % (triples * 3))? = *written.get(triple * 3 + from)?;
        }
    }
    Some(hash)
}

/// The readings of a salt in `Legacy`: after `hex:` it is hexadecimal, otherwise the text itself, and what looks
/// hexadecimal may be that too: exports of Keycloak are converted in both ways.
pub(super) fn salts(text: &str) -> Result<Vec<Vec<u8>>, UnreadableHash> {
    if let Some(digits) = text.strip_prefix("hex:") {
        return Ok(vec![hex(digits).ok_or("its salt after hex: is not hexadecimal")?]);
    }
    let is_long = text.len() >= 16;
    let readings = [Some(text.as_bytes().to_vec()), hex(text).filter(|_| is_long)];
    Ok(readings.into_iter().flatten().collect())
}
