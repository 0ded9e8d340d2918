//! Verifies a password against a hash, own or imported.

use super::digest;
use argon2::Params;
use argon2::password_hash::phc::PasswordHash;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_runtime::json;
use data_encoding::HEXLOWER_PERMISSIVE;
use md5::Md5;
use serde::Deserialize;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use subtle::ConstantTimeEq;

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

/// `[algorithm, [argument …], digest]`: `digest` is the hexadecimal hash of the arguments in their order; `@` is the
/// password.
#[derive(Deserialize)]
struct Legacy(String, Vec<String>, String);

/// The maximum passes of one of the server's own hashes, as a multiple of those of a new one: the number differs
/// between machines, and nodes should not rehash each other's hashes.
const MAX_TIMES_OWN_PASSES: u32 = 2;

/// Takes the time that the hash requires: only for those within the bounds. `own` are the parameters of the server's
/// own hashes.
pub(super) fn verify(password: &str, digest: &str, algorithm: PasswordAlgorithm, own: &Params) -> Verified {
    let is_right = match algorithm {
        PasswordAlgorithm::Argon2id | PasswordAlgorithm::Argon2i | PasswordAlgorithm::Argon2d => {
            return argon2(password, digest, algorithm, own);
        }
        PasswordAlgorithm::Bcrypt => bcrypt::verify(password, digest).unwrap_or(false),
        PasswordAlgorithm::Sha1 => is_hex_of(digest, &Sha1::digest(password)),
        PasswordAlgorithm::Sha256 => is_hex_of(digest, &Sha256::digest(password)),
        PasswordAlgorithm::Md5 => is_hex_of(digest, &Md5::digest(password)),
        PasswordAlgorithm::Legacy => legacy(password, digest),
    };
    if is_right { Verified::Outdated } else { Verified::No }
}

/// The hash names its own variant and cost.
fn argon2(password: &str, digest: &str, algorithm: PasswordAlgorithm, own: &Params) -> Verified {
    let Ok(hash) = PasswordHash::new(digest) else { return Verified::No };
    let named = hash.algorithm.as_str();
    if named != algorithm.as_str().to_ascii_lowercase() {
        return Verified::No;
    }
    match digest::is_of(&hash, password.as_bytes()) {
        Err(_) | Ok(false) => Verified::No,
        Ok(true) if named == "argon2id" && is_own(&hash, own) => Verified::Yes,
        Ok(true) => Verified::Outdated,
    }
}

/// Whether a hash has the cost of the server's own ones: neither less, nor more.
fn is_own(hash: &PasswordHash, own: &Params) -> bool {
    let passes = Params::DEFAULT_T_COST..=own.t_cost().saturating_mul(MAX_TIMES_OWN_PASSES);
    Params::try_from(hash).is_ok_and(|params| {
        params.m_cost() == own.m_cost() && params.p_cost() == own.p_cost() && passes.contains(&params.t_cost())
    })
}

fn legacy(password: &str, digest: &str) -> bool {
    let Ok(Legacy(algorithm, arguments, digest)) = json::read(digest, json::INCOMING) else { return false };
    let text: String =
        arguments.iter().map(|argument| if argument == "@" { password } else { argument.as_str() }).collect();
    match algorithm.to_ascii_lowercase().as_str() {
        "md5" => is_hex_of(&digest, &Md5::digest(text)),
        "sha1" => is_hex_of(&digest, &Sha1::digest(text)),
        "sha256" => is_hex_of(&digest, &Sha256::digest(text)),
        "sha512" => is_hex_of(&digest, &Sha512::digest(text)),
        _ => false,
    }
}

fn is_hex_of(text: &str, bytes: &[u8]) -> bool {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).is_ok_and(|decoded| decoded.ct_eq(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use PasswordAlgorithm as Of;

    #[test]
    fn digests_of_every_kind_are_of_their_password_alone() {
        let own = Params::default();
        let cheap = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$uxrWjdyfDHiIrNWxZjK3vTuEoxmGfIrf8lCZXQ6ssLU";
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
            (Of::Argon2i, cheap, Verified::No),
        ];
        for (algorithm, digest, expected) in table {
            assert_eq!(verify("password", digest, algorithm, &own), expected, "{algorithm:?} {digest}");
            assert_eq!(verify("Password", digest, algorithm, &own), Verified::No, "{algorithm:?} {digest}");
        }
        let digest = HEXLOWER_PERMISSIVE.encode(&Sha256::digest("saltpassword"));
        let legacy = format!(r#"["sha256", ["salt", "@"], "{digest}"]"#);
        assert_eq!(verify("password", &legacy, Of::Legacy, &own), Verified::Outdated);
        let bcrypted = bcrypt::hash("password", 4).unwrap_or_default();
        assert_eq!(verify("password", &bcrypted, Of::Bcrypt, &own), Verified::Outdated);
        assert_eq!(verify("Password", &bcrypted, Of::Bcrypt, &own), Verified::No);
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
