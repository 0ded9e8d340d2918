//! The table of formats: the prefix by which a hash names its own, and what hashes without a prefix are.

use super::encoding::{base64, exactly};
use super::parts::{NO_BASE64, Parsed, pbkdf2};
use super::{BcryptInput, DigestFunction, Part, PasswordHash, json, modular};
use crate::documents::user::PasswordAlgorithm;

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
