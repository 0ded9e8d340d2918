//! Proof Key for Code Exchange (RFC 7636), with `S256` only.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// Length of a code verifier in bytes (section 4.1).
const VERIFIER_BYTES: std::ops::RangeInclusive<usize> = 43..=128;

/// Whether a text is a well-formed `S256` challenge: 32 bytes in base64url.
#[must_use]
pub fn is_challenge(text: &str) -> bool {
    text.len() == 43 && BASE64URL_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| bytes.len() == 32)
}

/// The `S256` challenge of a verifier.
#[must_use]
pub fn challenge(verifier: &str) -> String {
    BASE64URL_NOPAD.encode(&Sha256::digest(verifier))
}

/// Whether a verifier matches a challenge. A verifier that the RFC does not allow never does.
#[must_use]
pub fn proves(verifier: &str, challenge: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    VERIFIER_BYTES.contains(&verifier.len())
        && verifier.bytes().all(unreserved)
        && self::challenge(verifier) == challenge
}

/// Whether a code may be exchanged with this verifier, or without one. A verifier without a challenge is refused too:
/// an attacker may have removed the challenge from the request (RFC 9700 section 4.8.2).
#[must_use]
pub fn is_proven(challenge: Option<&str>, verifier: Option<&str>) -> bool {
    match (challenge, verifier) {
        (None, None) => true,
        (Some(challenge), Some(verifier)) => proves(verifier, challenge),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_needs_the_verifier_of_its_challenge_and_no_other() {
        let verifier = "a".repeat(43);
        let challenge = challenge(&verifier);
        for (challenge, verifier, expected) in [
            (None, None, true),
            (Some(&*challenge), Some(&*verifier), true),
            (Some(&*challenge), None, false),
            (None, Some(&*verifier), false),
            (Some(&*challenge), Some(&*challenge), false),
        ] {
            assert_eq!(is_proven(challenge, verifier), expected, "{challenge:?} {verifier:?}");
        }
    }

    #[test]
    fn a_verifier_proves_its_own_challenge_alone() {
        // RFC 7636 appendix B.
        let (verifier, challenge) =
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(is_challenge(challenge) && proves(verifier, challenge));
        for bad in ["dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl", "", "short", challenge] {
            assert!(!proves(bad, challenge), "{bad}");
        }
        // The method `plain` is not supported.
        assert!(!proves(challenge, challenge));
        let short = "a".repeat(42);
        assert!(!proves(&short, &BASE64URL_NOPAD.encode(&Sha256::digest(&short))));
        for bad in ["", "abc", &verifier[1..], "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"] {
            assert!(!is_challenge(bad), "{bad}");
        }
    }
}
