//! Somebody who signs plugins with a key, as `cosign sign-blob --key` does.

use data_encoding::BASE64;
use rcgen::{KeyPair, PublicKeyData as _, SigningKey as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The signer, whose key is of ECDSA P-256.
pub struct PluginSigner(KeyPair);

impl PluginSigner {
    /// With a key of its own.
    #[must_use]
    pub fn new() -> Self {
        Self(KeyPair::generate().unwrap())
    }

    /// The key as the configuration trusts it under this name, such as `release` or `release@2027-01-01`.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        format!("{name}={}", BASE64.encode(&self.0.subject_public_key_info()))
    }

    /// The signature of a source, in base64.
    #[must_use]
    pub fn sign(&self, source: &str) -> String {
        BASE64.encode(&self.0.sign(source.as_bytes()).unwrap())
    }

    /// The signature of a source in a bundle, which states the digest of `stated`.
    #[must_use]
    pub fn bundle(&self, source: &str, stated: &str) -> Value {
        let hint = BASE64.encode(&Sha256::digest(self.0.subject_public_key_info()));
        json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": { "publicKey": { "hint": hint }, "tlogEntries": [] },
            "messageSignature": {
                "messageDigest": { "algorithm": "SHA2_256", "digest": BASE64.encode(&Sha256::digest(stated)) },
                "signature": self.sign(source),
            },
        })
    }
}

impl Default for PluginSigner {
    fn default() -> Self {
        Self::new()
    }
}
