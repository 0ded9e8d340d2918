//! `[encryption]`: the encryption keys of secrets at rest.

use claimsmith_domain::base64;
use secrecy::{ExposeSecret, SecretBox};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use zeroize::Zeroizing;

use super::MASK;

/// A key of 32 bytes.
#[derive(Clone, Debug)]
pub struct EncryptionKey(Arc<SecretBox<[u8; 32]>>);

impl EncryptionKey {
    /// Wraps the key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(Arc::new(SecretBox::new(Box::new(key))))
    }

    /// The key; only for the cipher.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        self.0.expose_secret()
    }
}

/// Keys for secrets at rest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EncryptionConfig {
    /// The key that encrypts; without one, an embedded database generates its own.
    pub key: Option<EncryptionKey>,
    /// Previous keys, which only decrypt.
    pub previous_keys: Vec<EncryptionKey>,
}

impl<'de> Deserialize<'de> for EncryptionKey {
    /// Reads base64; error messages never quote it.
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = Zeroizing::new(String::deserialize(input)?);
        let bytes = base64::decode(&text).map(Zeroizing::new);
        let bytes = bytes.ok_or_else(|| serde::de::Error::custom("it is not base64"))?;
        let key = <[u8; 32]>::try_from(bytes.as_slice());
        key.map(Self::new).map_err(|_| serde::de::Error::custom(format!("it is {} bytes long", bytes.len())))
    }
}

impl Serialize for EncryptionKey {
    /// Writes the mask, never the key.
    fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(MASK)
    }
}
