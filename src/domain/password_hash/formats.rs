//! The table of formats: the prefix by which a hash names its own, and what hashes without a prefix are.

use super::encoding::{base64, crypt, exactly, hex};
use super::{BcryptInput, DigestFunction, Part, PasswordHash, Pbkdf2Hash, UnreadableHash, json, modular};
use crate::documents::user::PasswordAlgorithm;
use std::num::NonZeroU32;

/// What a format gives.
pub(super) type Parsed = Result<PasswordHash, UnreadableHash>;

/// Bytes of a derived key: one of less would match many passwords, one of more is of no use.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 16..=512;
const NO_BASE64: &str = "its salt or its hash is not base64";
const UNKNOWN_PREFIX: &str = "it begins with $, { or [, and with none of the supported prefixes";

/// A format that the beginning of a hash names, with the part of the text that its function reads.
struct Format {
    prefix: &'static str,
    /// Bytes of the prefix that the function does not read.
    skipped: usize,
    read: fn(&str) -> Parsed,
}

const fn format(prefix: &'static str, skipped: usize, read: fn(&str) -> Parsed) -> Format {
    Format { prefix, skipped, read }
}

/// In the order in which they are tried.
const FORMATS: [Format; 19] = [
    format("$argon2", 1, modular::argon2),
    // Django.
    format("argon2$argon2", 7, modular::argon2),
    format("bcrypt$$2", 7, |text| modular::bcrypt(text, BcryptInput::Password)),
    format("bcrypt_sha256$$2", 14, |text| modular::bcrypt(text, BcryptInput::Sha256Hex)),
    format("pbkdf2_sha256$", 14, |text| modular::django_pbkdf2(text, DigestFunction::Sha256)),
    format("pbkdf2_sha1$", 12, |text| modular::django_pbkdf2(text, DigestFunction::Sha1)),
    format("scrypt$", 7, modular::django_scrypt),
    format("$2", 0, |text| modular::bcrypt(text, BcryptInput::Password)),
    // WordPress since 6.8.
    format("$wp$2", 3, |text| modular::bcrypt(text, BcryptInput::WordPress)),
    format("$P$", 3, modular::phpass),
    format("$H$", 3, modular::phpass),
    format("$5$", 3, |text| modular::sha_crypt(text, false)),
    format("$6$", 3, |text| modular::sha_crypt(text, true)),
    format("$pbkdf2-sha256$", 15, |text| modular::pbkdf2(text, DigestFunction::Sha256)),
    format("$pbkdf2-sha512$", 15, |text| modular::pbkdf2(text, DigestFunction::Sha512)),
    format("$pbkdf2$", 8, |text| modular::pbkdf2(text, DigestFunction::Sha1)),
    format("$scrypt$", 8, modular::scrypt),
    format("[", 0, json::legacy),
    format("{", 0, braced),
];

/// Parses a hash by its prefix, or else by its algorithm.
pub(super) fn parse(text: &str, algorithm: PasswordAlgorithm) -> Parsed {
    let text = if text.trim_start().starts_with(['[', '{']) { text.trim() } else { text };
    if let Some(format) = FORMATS.iter().find(|format| text.starts_with(format.prefix)) {
        return (format.read)(text.get(format.skipped..).unwrap_or_default());
    }
    if text.starts_with('$') {
        return Err(UNKNOWN_PREFIX.into());
    }
    match algorithm {
        PasswordAlgorithm::Md5 => digest(text, DigestFunction::Md5),
        PasswordAlgorithm::Sha1 => digest(text, DigestFunction::Sha1),
        PasswordAlgorithm::Sha256 => digest(text, DigestFunction::Sha256),
        PasswordAlgorithm::Sha512 => digest(text, DigestFunction::Sha512),
        PasswordAlgorithm::Argon2id | PasswordAlgorithm::Argon2i | PasswordAlgorithm::Argon2d => {
            Err("a hash of Argon2 begins with $argon2id$, $argon2i$ or $argon2d$".into())
        }
        PasswordAlgorithm::Bcrypt => Err("a hash of bcrypt begins with $2a$, $2b$, $2y$ or $wp$2y$".into()),
        PasswordAlgorithm::Scrypt => Err("a hash of scrypt begins with $scrypt$".into()),
        PasswordAlgorithm::FirebaseScrypt => Err(json::FIREBASE.into()),
        PasswordAlgorithm::Phpass => Err("a hash of phpass begins with $P$ or $H$".into()),
        PasswordAlgorithm::Ssha => Err("a hash of LDAP begins with its scheme, such as {SSHA}".into()),
        PasswordAlgorithm::Crypt => Err("a hash of crypt begins with $5$ or $6$".into()),
        PasswordAlgorithm::Pbkdf2 | PasswordAlgorithm::Legacy => asp_net(text),
    }
}

/// Of the password alone.
fn digest(text: &str, function: DigestFunction) -> Parsed {
    let hash = exactly(text, function.bytes());
    let hash = hash.ok_or_else(|| {
        let bytes = function.bytes();
        format!("expected {bytes} bytes: {} hexadecimal digits, or base64", bytes * 2)
    });
    Ok(PasswordHash::Digest { function, parts: vec![Part::Password], hash: hash? })
}

/// JSON, or the scheme of LDAP (RFC 2307).
fn braced(text: &str) -> Parsed {
    let Some((scheme, value)) = text.get(1..).and_then(|text| text.split_once('}')) else {
        return json::keycloak(text);
    };
    if !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) || scheme.is_empty() {
        return json::keycloak(text);
    }
    let (function, is_salted) = match scheme.to_ascii_uppercase().as_str() {
        "SSHA" => (DigestFunction::Sha1, true),
        "SSHA256" => (DigestFunction::Sha256, true),
        "SSHA384" => (DigestFunction::Sha384, true),
        "SSHA512" => (DigestFunction::Sha512, true),
        "SMD5" => (DigestFunction::Md5, true),
        "SHA" | "SHA1" => (DigestFunction::Sha1, false),
        "SHA256" => (DigestFunction::Sha256, false),
        "SHA384" => (DigestFunction::Sha384, false),
        "SHA512" => (DigestFunction::Sha512, false),
        "MD5" => (DigestFunction::Md5, false),
        "CRYPT" if value.starts_with('$') => return parse(value, PasswordAlgorithm::Crypt),
        _ => return Err("its scheme is not one of those that are supported, such as {SSHA} and {SSHA512}".into()),
    };
    if !is_salted {
        return digest(value, function);
    }
    let mut hash = base64(value).ok_or(NO_BASE64)?;
    if hash.len() <= function.bytes() {
        return Err("it has no salt after its hash".into());
    }
    let salt = hash.split_off(function.bytes());
    Ok(PasswordHash::Digest { function, parts: vec![Part::Password, Part::Bytes(salt)], hash })
}

/// ASP.NET Core Identity: version 3 (function, iterations, bytes of the salt, salt, key) and version 2 (salt, key).
fn asp_net(text: &str) -> Parsed {
    const UNKNOWN: &str = "it is in none of the supported formats";
    let bytes = base64(text).ok_or(UNKNOWN)?;
    let number = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
        four.map(u32::from_be_bytes).ok_or(UNKNOWN)
    };
    let (function, iterations, salt_at, salt_bytes) = match bytes.first() {
        Some(0) if bytes.len() == 49 => (DigestFunction::Sha1, 1000, 1, 16),
        Some(1) => {
            let function = match number(1)? {
                0 => DigestFunction::Sha1,
                1 => DigestFunction::Sha256,
                2 => DigestFunction::Sha512,
                _ => return Err(UNKNOWN.into()),
            };
            (function, number(5)?, 13, usize::try_from(number(9)?).map_err(|_| UNKNOWN)?)
        }
        _ => return Err(UNKNOWN.into()),
    };
    let (salt, key) = bytes.get(salt_at..).and_then(|rest| rest.split_at_checked(salt_bytes)).ok_or(UNKNOWN)?;
    pbkdf2(function, iterations, vec![salt.to_vec()], key.to_vec())
}

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
