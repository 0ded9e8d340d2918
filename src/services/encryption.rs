//! Encryption at rest of secrets: AES-256-GCM under the configured key, with purpose and row as associated data, so
//! that a ciphertext that was moved to another row does not decrypt. Several keys decrypt (key rotation), the first one
//! encrypts. Short secrets such as codes are hashed with the same key: without it they cannot be found by brute force.

mod purpose;

pub use purpose::Purpose;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Bytes of the key's id before the nonce.
const KEY_ID_BYTES: usize = 4;
/// Bytes of an AES-GCM nonce.
const NONCE_BYTES: usize = 12;

/// A secret could not be encrypted or decrypted. Says nothing about the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncryptionError {
    /// Encrypted under a key that is not configured.
    #[error("the secret was encrypted under another encryption key")]
    UnknownKey,
    /// Damaged, or moved here from another row.
    #[error("the encrypted secret is damaged")]
    Damaged,
    /// The key does not have 32 bytes.
    #[error("the encryption key must have 32 bytes")]
    Key,
}

/// Encrypts and decrypts secrets.
pub struct Cipher {
    keys: Vec<CipherKey>,
}

/// A key, and what is derived from it.
struct CipherKey {
    id: [u8; KEY_ID_BYTES],
    aead: RandomizedNonceKey,
    mac: hmac::Key,
}

impl CipherKey {
    fn new(key: &[u8; 32]) -> Result<Self, EncryptionError> {
        let aead = RandomizedNonceKey::new(&AES_256_GCM, key).map_err(|_| EncryptionError::Key)?;
        let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), b"claimsmith keyed digests");
        Ok(Self { id: key_id(key), aead, mac: hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()) })
    }

    fn digest(&self, purpose: Purpose, row: &str, secret: &str) -> String {
        let tag = hmac::sign(&self.mac, &digested(purpose, row, secret));
        BASE64.encode(&[self.id.as_slice(), tag.as_ref()].concat())
    }
}

impl Cipher {
    /// Encrypts under the first of `keys`, and decrypts under any of them. 32 bytes each.
    pub fn new<'k>(keys: impl IntoIterator<Item = &'k [u8; 32]>) -> Result<Self, EncryptionError> {
        let keys: Vec<CipherKey> = keys.into_iter().map(CipherKey::new).collect::<Result<_, _>>()?;
        if keys.is_empty() { Err(EncryptionError::Key) } else { Ok(Self { keys }) }
    }

    /// Encrypts `secret` for the given purpose and row; base64.
    pub fn encrypt(&self, purpose: Purpose, row: &str, secret: &[u8]) -> Result<String, EncryptionError> {
        let CipherKey { id, aead, .. } = self.keys.first().ok_or(EncryptionError::Key)?;
        let mut text = secret.to_vec();
        let nonce = aead
            .seal_in_place_append_tag(Aad::from(associated_data(purpose, row)), &mut text)
            .map_err(|_| EncryptionError::Damaged)?;
        Ok(BASE64.encode(&[id.as_slice(), nonce.as_ref(), &text].concat()))
    }

    /// Decrypts what [`Self::encrypt`] encrypted for the same purpose and row.
    pub fn decrypt(&self, purpose: Purpose, row: &str, sealed: &str) -> Result<Zeroizing<Vec<u8>>, EncryptionError> {
        let bytes = BASE64.decode(sealed.as_bytes()).map_err(|_| EncryptionError::Damaged)?;
        let (id, rest) = bytes.split_at_checked(KEY_ID_BYTES).ok_or(EncryptionError::Damaged)?;
        let (nonce, text) = rest.split_at_checked(NONCE_BYTES).ok_or(EncryptionError::Damaged)?;
        let key = self.keys.iter().find(|known| known.id == id).ok_or(EncryptionError::UnknownKey)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| EncryptionError::Damaged)?;
        let mut text = Zeroizing::new(text.to_vec());
        let length = key
            .aead
            .open_in_place(nonce, Aad::from(associated_data(purpose, row)), &mut text)
            .map_err(|_| EncryptionError::Damaged)?
            .len();
        text.truncate(length);
        Ok(text)
    }

    /// Encrypts again under the first key what another key encrypted. `None` when the first key did.
    pub fn reencrypt(&self, purpose: Purpose, row: &str, sealed: &str) -> Result<Option<String>, EncryptionError> {
        if self.is_current(sealed) {
            return Ok(None);
        }
        let secret = self.decrypt(purpose, row, sealed)?;
        self.encrypt(purpose, row, &secret).map(Some)
    }

    /// Whether this ciphertext or keyed hash was made with the first key: both begin with the id of their key.
    #[must_use]
    pub fn is_current(&self, made: &str) -> bool {
        let bytes = BASE64.decode(made.as_bytes()).unwrap_or_default();
        self.keys.first().is_some_and(|key| bytes.starts_with(&key.id))
    }

    /// The prefix of every ciphertext and keyed hash of the first key: the characters that the id of the key alone
    /// determines.
    #[must_use]
    pub fn current_prefix(&self) -> String {
        let id = self.keys.first().map(|key| BASE64.encode(&key.id)).unwrap_or_default();
        id.chars().take(KEY_ID_BYTES * 8 / 6).collect()
    }

    /// The keyed hash of a short secret, for the given purpose and row; base64.
    pub fn digest(&self, purpose: Purpose, row: &str, secret: &str) -> Result<String, EncryptionError> {
        let key = self.keys.first().ok_or(EncryptionError::Key)?;
        Ok(key.digest(purpose, row, secret))
    }

    /// The keyed hashes of the secret under the earlier keys.
    pub fn earlier_digests(&self, purpose: Purpose, row: &str, secret: &str) -> impl Iterator<Item = String> {
        self.keys.iter().skip(1).map(move |key| key.digest(purpose, row, secret))
    }

    /// Whether [`Self::digest`] made this hash of that secret, for the same purpose and row, under any of the keys.
    /// Takes the same time for every secret.
    #[must_use]
    pub fn is_digest(&self, purpose: Purpose, row: &str, secret: &str, digest: &str) -> bool {
        let Ok(bytes) = BASE64.decode(digest.as_bytes()) else { return false };
        let Some((id, tag)) = bytes.split_at_checked(KEY_ID_BYTES) else { return false };
        let key = self.keys.iter().find(|known| known.id == id);
        key.is_some_and(|key| hmac::verify(&key.mac, &digested(purpose, row, secret), tag).is_ok())
    }
}

/// A short id of a key that reveals nothing about the key.
fn key_id(key: &[u8; 32]) -> [u8; KEY_ID_BYTES] {
    let digest = Sha256::new().chain_update(b"claimsmith encryption key id").chain_update(key).finalize();
    let mut id = [0; KEY_ID_BYTES];
    id.copy_from_slice(&digest[..KEY_ID_BYTES]);
    id
}

fn digested(purpose: Purpose, row: &str, secret: &str) -> Vec<u8> {
    format!("{}/{row}/{secret}", purpose.name()).into_bytes()
}

fn associated_data(purpose: Purpose, row: &str) -> Vec<u8> {
    format!("{}/{row}", purpose.name()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::Purpose::{Message, SigningKey, VerificationCode};
    use super::*;

    #[test]
    fn opens_only_in_its_own_row_and_under_its_own_key() -> Result<(), EncryptionError> {
        let old = Cipher::new([&[1; 32]])?;
        let both = Cipher::new([&[2; 32], &[1; 32]])?;
        let sealed = old.encrypt(SigningKey, "k1", b"secret")?;
        assert!(!sealed.contains("secret"));
        assert_eq!(old.decrypt(SigningKey, "k1", &sealed)?.as_slice(), b"secret");
        assert_eq!(both.decrypt(SigningKey, "k1", &sealed)?.as_slice(), b"secret");
        assert_eq!(old.decrypt(SigningKey, "k2", &sealed).err(), Some(EncryptionError::Damaged));
        assert_eq!(
            Cipher::new([&[2; 32]])?.decrypt(SigningKey, "k1", &sealed).err(),
            Some(EncryptionError::UnknownKey)
        );
        assert_eq!(old.decrypt(SigningKey, "k1", "AAAA").err(), Some(EncryptionError::Damaged));
        assert_eq!(old.decrypt(Message, "k1", &sealed).err(), Some(EncryptionError::Damaged));

        assert_eq!(old.reencrypt(SigningKey, "k1", &sealed)?, None);
        let renewed = both.reencrypt(SigningKey, "k1", &sealed)?.ok_or(EncryptionError::Damaged)?;
        assert_eq!((both.is_current(&sealed), both.is_current(&renewed)), (false, true));
        assert!(renewed.starts_with(&both.current_prefix()) && !sealed.starts_with(&both.current_prefix()));
        assert_eq!(Cipher::new([&[2; 32]])?.decrypt(SigningKey, "k1", &renewed)?.as_slice(), b"secret");
        assert_eq!(both.reencrypt(SigningKey, "k2", &sealed).err(), Some(EncryptionError::Damaged));
        Ok(())
    }

    #[test]
    fn a_digest_is_of_one_secret_in_one_row_under_one_key() -> Result<(), EncryptionError> {
        let (old, both) = (Cipher::new([&[1; 32]])?, Cipher::new([&[2; 32], &[1; 32]])?);
        let digest = old.digest(VerificationCode, "c1", "123456")?;
        assert_eq!(digest, old.digest(VerificationCode, "c1", "123456")?);
        assert_ne!(digest, both.digest(VerificationCode, "c1", "123456")?);
        assert_eq!(
            both.earlier_digests(VerificationCode, "c1", "123456").collect::<Vec<_>>(),
            std::slice::from_ref(&digest)
        );
        assert!(
            old.is_digest(VerificationCode, "c1", "123456", &digest)
                && both.is_digest(VerificationCode, "c1", "123456", &digest)
        );
        for (purpose, row, secret) in
            [(Message, "c1", "123456"), (VerificationCode, "c2", "123456"), (VerificationCode, "c1", "123457")]
        {
            assert!(!old.is_digest(purpose, row, secret, &digest), "{purpose:?} {row} {secret}");
        }
        assert!(!Cipher::new([&[2; 32]])?.is_digest(VerificationCode, "c1", "123456", &digest));
        for damaged in ["", "AAAA", "no base64", &digest[..digest.len() - 4]] {
            assert!(!old.is_digest(VerificationCode, "c1", "123456", damaged), "{damaged}");
        }
        Ok(())
    }
}
