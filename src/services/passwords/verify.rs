//! Verifies a password against a hash, own or imported.

use super::digest;
use argon2::Params;
use aws_lc_rs::cipher::{AES_256, EncryptingKey, EncryptionContext, UnboundCipherKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::{hmac, pbkdf2};
use claimsmith_domain::password_hash::{
    Argon2Hash, Argon2Variant, BcryptInput, DigestFunction, MAX_CRYPT_PASSWORD_BYTES, Part, PasswordHash, Pbkdf2Hash,
    ScryptHash,
};
use data_encoding::{BASE64, HEXLOWER};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verified {
    /// The password is wrong, or the stored text is not a hash.
    No,
    /// It is correct.
    Yes,
    /// It is correct, and the hash is not one of the server's own.
    Outdated,
}

/// The maximum passes of one of the server's own hashes, as a multiple of those of a new one: the number differs
/// between machines, and nodes should not rehash each other's hashes.
const MAX_TIMES_OWN_PASSES: u32 = 2;
/// The key of `WordPress`, and what its `trim` takes away.
const WORDPRESS_KEY: &[u8] = b"wp-sha384";
const WORDPRESS_BLANKS: [char; 6] = [' ', '\t', '\n', '\r', '\0', '\x0b'];
/// Bytes of the key of AES that Firebase derives.
const FIREBASE_KEY_BYTES: usize = 32;

/// Takes the time that the hash requires: only for those within the bounds. `own` are the parameters of the server's
/// own hashes.
pub(super) fn verify(password: &str, hash: &PasswordHash, own: &Params) -> Verified {
    match is_of(password, hash) {
        Some(true) if is_own(hash, own) => Verified::Yes,
        Some(true) => Verified::Outdated,
        Some(false) | None => Verified::No,
    }
}

/// Whether a hash has the cost of the server's own ones: neither less, nor more.
fn is_own(hash: &PasswordHash, own: &Params) -> bool {
    let passes = Params::DEFAULT_T_COST..=own.t_cost().saturating_mul(MAX_TIMES_OWN_PASSES);
    matches!(hash, PasswordHash::Argon2(hash) if hash.variant == Argon2Variant::Id
        && hash.memory == own.m_cost()
        && hash.lanes == own.p_cost()
        && passes.contains(&hash.passes))
}

/// Whether a hash is of this password; `None` if it cannot be computed.
fn is_of(password: &str, hash: &PasswordHash) -> Option<bool> {
    let bytes = password.as_bytes();
    match hash {
        PasswordHash::Argon2(hash) => argon2(bytes, hash),
        PasswordHash::Bcrypt { text, input, .. } => {
            bcrypt::verify(bcrypt_input(password, *input).as_slice(), text).ok()
        }
        PasswordHash::Pbkdf2(hash) => pbkdf2(bytes, hash),
        PasswordHash::Scrypt(hash) => Some(is(&scrypt(bytes, hash, hash.key.len())?, &hash.key)),
        PasswordHash::FirebaseScrypt { scrypt: hash, signer_key } => {
            let key = scrypt(bytes, hash, FIREBASE_KEY_BYTES)?;
            Some(is(&encrypted(&key, signer_key).ok()?, &hash.key))
        }
        PasswordHash::Phpass { .. } | PasswordHash::ShaCrypt { .. } if bytes.len() > MAX_CRYPT_PASSWORD_BYTES => None,
        PasswordHash::Phpass { log_rounds, salt, hash } => Some(is(&phpass(bytes, *log_rounds, salt)?, hash)),
        PasswordHash::ShaCrypt { is_sha512, rounds, salt, hash } => {
            let params = sha_crypt::Params::new(*rounds).ok()?;
            Some(if *is_sha512 {
                is(&sha_crypt::sha512_crypt(bytes, salt, params), hash)
            } else {
                is(&sha_crypt::sha256_crypt(bytes, salt, params), hash)
            })
        }
        PasswordHash::Digest { function, parts, hash } => {
            let parts = parts.iter().map(|part| match part {
                Part::Password => bytes,
                Part::Bytes(salt) => salt,
            });
            let text: Zeroizing<Vec<u8>> = Zeroizing::new(parts.flatten().copied().collect());
            Some(is(&digest_of(*function, &text), hash))
        }
    }
}

/// In constant time.
fn is(computed: &[u8], expected: &[u8]) -> bool {
    computed.ct_eq(expected).into()
}

fn argon2(password: &[u8], hash: &Argon2Hash) -> Option<bool> {
    let algorithm = match hash.variant {
        Argon2Variant::D => argon2::Algorithm::Argon2d,
        Argon2Variant::I => argon2::Algorithm::Argon2i,
        Argon2Variant::Id => argon2::Algorithm::Argon2id,
    };
    let version = if hash.is_current_version { argon2::Version::V0x13 } else { argon2::Version::V0x10 };
    let params = Params::new(hash.memory, hash.passes, hash.lanes, Some(hash.hash.len())).ok()?;
    let mut output = vec![0; hash.hash.len()];
    let argon2 = argon2::Argon2::new(algorithm, version, params);
    digest::fill(&argon2, password, &hash.salt, &mut output).ok()?;
    Some(is(&output, &hash.hash))
}

/// What bcrypt hashes for a password.
fn bcrypt_input(password: &str, input: BcryptInput) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(match input {
        BcryptInput::Password => password.as_bytes().to_vec(),
        BcryptInput::WordPress => {
            let key = hmac::Key::new(hmac::HMAC_SHA384, WORDPRESS_KEY);
            let trimmed = password.trim_matches(WORDPRESS_BLANKS);
            BASE64.encode(hmac::sign(&key, trimmed.as_bytes()).as_ref()).into_bytes()
        }
        BcryptInput::Sha256Hex => HEXLOWER.encode(&Sha256::digest(password)).into_bytes(),
    })
}

fn pbkdf2(password: &[u8], hash: &Pbkdf2Hash) -> Option<bool> {
    let algorithm = match hash.function {
        DigestFunction::Md5 => return None,
        DigestFunction::Sha1 => pbkdf2::PBKDF2_HMAC_SHA1,
        DigestFunction::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
        DigestFunction::Sha384 => pbkdf2::PBKDF2_HMAC_SHA384,
        DigestFunction::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
    };
    let mut key = vec![0; hash.key.len()];
    // With each salt, whichever it is: the time does not tell.
    let matches = hash.salts.iter().map(|salt| {
        pbkdf2::derive(algorithm, hash.iterations, salt, password, &mut key);
        is(&key, &hash.key)
    });
    Some(matches.fold(false, |found, matches| found | matches))
}

fn scrypt(password: &[u8], hash: &ScryptHash, bytes: usize) -> Option<Vec<u8>> {
    let params = scrypt::Params::new(hash.log_n, hash.r, hash.p).ok()?;
    let mut key = vec![0; bytes];
    scrypt::scrypt(password, &hash.salt, &params, &mut key).ok()?;
    Some(key)
}

/// AES-256 in counter mode, from zero.
fn encrypted(key: &[u8], text: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let key = EncryptingKey::ctr(UnboundCipherKey::new(&AES_256, key)?)?;
    let mut text = text.to_vec();
    key.less_safe_encrypt(&mut text, EncryptionContext::Iv128(FixedLength::from([0; 16])))?;
    Ok(text)
}

fn phpass(password: &[u8], log_rounds: u32, salt: &[u8]) -> Option<Vec<u8>> {
    let rounds = 1_u32.checked_shl(log_rounds)?;
    let mut hash = Md5::new().chain_update(salt).chain_update(password).finalize();
    for _ in 0..rounds {
        hash = Md5::new().chain_update(hash).chain_update(password).finalize();
    }
    Some(hash.to_vec())
}

fn digest_of(function: DigestFunction, text: &[u8]) -> Vec<u8> {
    match function {
        DigestFunction::Md5 => Md5::digest(text).to_vec(),
        DigestFunction::Sha1 => Sha1::digest(text).to_vec(),
        DigestFunction::Sha256 => Sha256::digest(text).to_vec(),
        DigestFunction::Sha384 => Sha384::digest(text).to_vec(),
        DigestFunction::Sha512 => Sha512::digest(text).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_domain::documents::user::PasswordAlgorithm as Of;

    fn verify(password: &str, digest: &str, algorithm: Of, own: &Params) -> Verified {
        let hash = PasswordHash::parse(digest, algorithm);
        hash.map_or(Verified::No, |hash| super::verify(password, &hash, own))
    }

    #[test]
    fn digests_of_every_kind_are_of_their_password_alone() -> Result<(), Box<dyn std::error::Error>> {
        let own = Params::default();
        let cheap = digest::make(Params::new(64, 1, 1, None)?, b"password", b"0123456789abcdef")?;
        let cheap = cheap.to_string();
        let table = [
            (Of::Md5, "5f4dcc3b5aa765d61d8327deb882cf99", Verified::Outdated),
            (Of::Md5, "5F4DCC3B5AA765D61D8327DEB882CF99", Verified::Outdated),
            (Of::Sha1, "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8", Verified::Outdated),
            (Of::Sha256, "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8", Verified::Outdated),
            (Of::Bcrypt, "nonsense", Verified::No),
            (Of::Legacy, r#"["md5", ["@"], "5f4dcc3b5aa765d61d8327deb882cf99"]"#, Verified::Outdated),
            (Of::Legacy, r#"["rot13", ["@"], "cnffjbeq"]"#, Verified::No),
            (Of::Legacy, "nonsense", Verified::No),
            (Of::Argon2id, "nonsense", Verified::No),
            // The text says what it is.
            (Of::Argon2i, cheap.as_str(), Verified::Outdated),
        ];
        for (algorithm, digest, expected) in table {
            assert_eq!(verify("password", digest, algorithm, &own), expected, "{algorithm:?} {digest}");
            assert_eq!(verify("Password", digest, algorithm, &own), Verified::No, "{algorithm:?} {digest}");
        }
        let digest = HEXLOWER.encode(&Sha256::digest("saltpassword"));
        let legacy = format!(r#"["sha256", ["salt", "@"], "{digest}"]"#);
        assert_eq!(verify("password", &legacy, Of::Legacy, &own), Verified::Outdated);
        let bcrypted = bcrypt::hash("password", 4).unwrap_or_default();
        assert_eq!(verify("password", &bcrypted, Of::Bcrypt, &own), Verified::Outdated);
        assert_eq!(verify("Password", &bcrypted, Of::Bcrypt, &own), Verified::No);
        Ok(())
    }

    #[test]
    fn what_costs_more_or_less_than_an_own_digest_is_outdated() -> Result<(), Box<dyn std::error::Error>> {
        let own = Params::new(64, 5, 1, None)?;
        let table = [
            ((64, 5, 1), Verified::Yes),
            ((64, 2, 1), Verified::Yes),
            ((64, 10, 1), Verified::Yes),
            ((64, 1, 1), Verified::Outdated),
            ((64, 11, 1), Verified::Outdated),
            ((32, 5, 1), Verified::Outdated),
            ((128, 5, 1), Verified::Outdated),
            ((64, 5, 2), Verified::Outdated),
        ];
        for ((memory, passes, lanes), expected) in table {
            let params = Params::new(memory, passes, lanes, None)?;
            let made = digest::make(params, b"password", b"0123456789abcdef")?.to_string();
            assert_eq!(verify("password", &made, Of::Argon2id, &own), expected, "{made}");
        }
        Ok(())
    }
}
