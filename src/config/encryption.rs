//! `[encryption]`: the encryption keys of secrets at rest.

use claimsmith_domain::base64;
use secrecy::{ExposeSecret, SecretBox};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use zeroize::Zeroizing;

use super::MASK;

/// 32 bytes of key.
#[derive(Clone, Debug)]
pub struct EncryptionKey(Arc<SecretBox<[u8; 32]>>);

impl EncryptionKey {
    /// Takes the key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(Arc::new(SecretBox::new(Box::new(key))))
    }

    /// The key, for the cipher alone.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        self.0.expose_secret()
    }
}

/// Keys for secrets at rest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EncryptionConfig {
    /// The key that writes; without one, an embedded database generates its own.
    pub key: Option<EncryptionKey>,
    /// Keys that wrote before and can still read.
    pub previous_keys: Vec<EncryptionKey>,
}

impl<'de> Deserialize<'de> for EncryptionKey {
    /// Reads base64; the reason of a refusal repeats nothing of it.
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = Zeroizing::new(String::deserialize(input)?);
        let bytes = base64::decode(&text).map(Zeroizing::new);
        let bytes = bytes.ok_or_else(|| serde::de::Error::custom("it is not base64"))?;
        let key = <[u8; 32]>::try_from(bytes.as_slice());
        key.map(Self::new).map_err(|_| serde::de::Error::custom(format!("it is {} bytes long", bytes.len())))
    }
}

impl Serialize for EncryptionKey {
    /// Shows that there is one.
    fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(MASK)
    }
}
