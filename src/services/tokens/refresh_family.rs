//! The key of a family of refresh tokens. The successor of a token is its HMAC under this key, so that a reused token
//! gets the same successor, although only hashes of tokens are stored (`docs/decisions/refresh-tokens.md`).

use super::hash;
use crate::encryption::{Cipher, EncryptionError, Purpose};
use aws_lc_rs::hmac;
use claimsmith_domain::random::{Random, RandomError};
use data_encoding::BASE64URL_NOPAD;
use zeroize::Zeroizing;

/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// The maximum number of successors that are derived to find the newest token: about a millisecond. No working
/// application rotates a token more often within one leeway.
const MAX_STEPS: usize = 1000;

/// The key of a family. Without `Debug`: it is a secret.
pub struct FamilyKey(Zeroizing<[u8; KEY_BYTES]>);

impl FamilyKey {
    /// Generates a key.
    pub fn generate(random: &Random) -> Result<Self, RandomError> {
        Ok(Self(Zeroizing::new(random.bytes()?)))
    }

    /// Decrypts the key of a family.
    pub fn decrypt(cipher: &Cipher, family_id: &str, encrypted: &str) -> Result<Self, EncryptionError> {
        let bytes = cipher.decrypt(Purpose::RefreshFamily, family_id, encrypted)?;
        let key = bytes.as_slice().try_into().map_err(|_| EncryptionError::Damaged)?;
        Ok(Self(Zeroizing::new(key)))
    }

    /// The key as it is stored.
    pub fn encrypt(&self, cipher: &Cipher, family_id: &str) -> Result<String, EncryptionError> {
        cipher.encrypt(Purpose::RefreshFamily, family_id, self.0.as_slice())
    }

    /// The token that replaces this one: 256 bits, base64url.
    #[must_use]
    pub fn successor(&self, token: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.0.as_slice());
        BASE64URL_NOPAD.encode(hmac::sign(&key, token.as_bytes()).as_ref())
    }

    /// The token with this hash among the successors of `token`; `None` if it was not derived from it.
    #[must_use]
    pub fn descendant(&self, token: &str, newest_hash: &str) -> Option<String> {
        let mut token = self.successor(token);
        for _ in 0..MAX_STEPS {
            if hash(&token) == newest_hash {
                return Some(token);
            }
            token = self.successor(&token);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn the_newest_token_is_found_from_any_of_those_that_it_replaced() {
        let key = FamilyKey::generate(&Random::seeded("family")).unwrap();
        let mut tokens = vec!["first".to_owned()];
        for _ in 0..5 {
            tokens.push(key.successor(tokens.last().unwrap()));
        }
        let newest = hash(&tokens[5]);
        for (index, token) in tokens[..5].iter().enumerate() {
            assert_eq!(key.descendant(token, &newest).as_ref(), Some(&tokens[5]), "{index}");
        }
        assert_eq!(key.descendant(&tokens[5], &newest), None, "it does not replace itself");
        let other = FamilyKey::generate(&Random::seeded("other")).unwrap();
        assert_eq!(other.descendant(&tokens[0], &newest), None);
        assert_ne!(other.successor("first"), tokens[1]);
        assert_eq!(tokens[1].len(), 43, "256 bits");
    }

    #[test]
    fn a_key_is_the_same_under_another_encryption_key_and_of_its_family_alone() {
        let (old, both) = (Cipher::new([&[1; 32]]).unwrap(), Cipher::new([&[2; 32], &[1; 32]]).unwrap());
        let key = FamilyKey::generate(&Random::seeded("family")).unwrap();
        let stored = key.encrypt(&old, "f").unwrap();
        let again = FamilyKey::decrypt(&both, "f", &stored).unwrap();
        let again = FamilyKey::decrypt(&both, "f", &again.encrypt(&both, "f").unwrap()).unwrap();
        assert_eq!(again.successor("first"), key.successor("first"));
        assert_eq!(FamilyKey::decrypt(&old, "g", &stored).err(), Some(EncryptionError::Damaged));
        let short = old.encrypt(Purpose::RefreshFamily, "f", &[7; 16]).unwrap();
        assert_eq!(FamilyKey::decrypt(&old, "f", &short).err(), Some(EncryptionError::Damaged));
    }
}
