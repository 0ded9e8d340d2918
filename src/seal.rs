//! The box that secrets at rest are kept in: AES-256-GCM under the configured key, bound to table and row, so that
//! a sealed text moved to another row does not open. Several keys may open, the first one seals.

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Bytes of the key's id that stand before the nonce.
const ID: usize = 4;
/// Bytes of an AES-GCM nonce.
const NONCE: usize = 12;

/// A secret could not be sealed or opened. Says nothing about the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// Sealed under a key that is not configured.
    #[error("the secret was sealed under another encryption key")]
    UnknownKey,
    /// Damaged, or moved here from another row.
    #[error("the sealed secret is damaged")]
    Damaged,
    /// The key does not have 32 bytes.
    #[error("the encryption key must have 32 bytes")]
    Key,
}

/// Seals and opens secrets.
pub struct SealBox {
    keys: Vec<([u8; ID], RandomizedNonceKey)>,
}

impl SealBox {
    /// A box that seals under the first of `keys` and opens what any of them sealed. 32 bytes each.
    pub fn new<'k>(keys: impl IntoIterator<Item = &'k [u8; 32]>) -> Result<Self, SealError> {
        let keys: Vec<_> = keys
            .into_iter()
            .map(|key| Ok((key_id(key), RandomizedNonceKey::new(&AES_256_GCM, key).map_err(|_| SealError::Key)?)))
            .collect::<Result<_, _>>()?;
        if keys.is_empty() { Err(SealError::Key) } else { Ok(Self { keys }) }
    }

    /// Seals `secret` for the given table and row; base64.
    pub fn seal(&self, table: &str, row: &str, secret: &[u8]) -> Result<String, SealError> {
        let (id, key) = self.keys.first().ok_or(SealError::Key)?;
        let mut text = secret.to_vec();
        let nonce =
            key.seal_in_place_append_tag(Aad::from(place(table, row)), &mut text).map_err(|_| SealError::Damaged)?;
        Ok(STANDARD.encode([id.as_slice(), nonce.as_ref(), &text].concat()))
    }

    /// Opens what [`Self::seal`] sealed for the same table and row.
    pub fn open(&self, table: &str, row: &str, sealed: &str) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let bytes = STANDARD.decode(sealed).map_err(|_| SealError::Damaged)?;
        let (id, rest) = bytes.split_at_checked(ID).ok_or(SealError::Damaged)?;
        let (nonce, text) = rest.split_at_checked(NONCE).ok_or(SealError::Damaged)?;
        let (_, key) = self.keys.iter().find(|(known, _)| known == id).ok_or(SealError::UnknownKey)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Damaged)?;
        let mut text = Zeroizing::new(text.to_vec());
        let length =
            key.open_in_place(nonce, Aad::from(place(table, row)), &mut text).map_err(|_| SealError::Damaged)?.len();
        text.truncate(length);
        Ok(text)
    }
}

/// A short name of a key that tells nothing about it.
fn key_id(key: &[u8; 32]) -> [u8; ID] {
    let digest = Sha256::new().chain_update(b"claimsmith encryption key id").chain_update(key).finalize();
    let mut id = [0; ID];
    id.copy_from_slice(&digest[..ID]);
    id
}

fn place(table: &str, row: &str) -> Vec<u8> {
    format!("{table}/{row}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_only_in_its_own_row_and_under_its_own_key() -> Result<(), SealError> {
        let old = SealBox::new([&[1; 32]])?;
        let both = SealBox::new([&[2; 32], &[1; 32]])?;
        let sealed = old.seal("signing_keys", "k1", b"secret")?;
        assert!(!sealed.contains("secret"));
        assert_eq!(old.open("signing_keys", "k1", &sealed)?.as_slice(), b"secret");
        assert_eq!(both.open("signing_keys", "k1", &sealed)?.as_slice(), b"secret");
        assert_eq!(old.open("signing_keys", "k2", &sealed).err(), Some(SealError::Damaged));
        assert_eq!(SealBox::new([&[2; 32]])?.open("signing_keys", "k1", &sealed).err(), Some(SealError::UnknownKey));
        assert_eq!(old.open("signing_keys", "k1", "AAAA").err(), Some(SealError::Damaged));
        Ok(())
    }
}
