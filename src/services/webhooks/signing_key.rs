//! The signing key of a hook: 32 random characters for the symmetric signatures and an Ed25519 key for the asymmetric
//! one. Encrypted at rest as one secret, decrypted only to sign deliveries and for the Management API to show it.

use crate::encryption::{Cipher, EncryptionError, Purpose};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use claimsmith_domain::id::HookId;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_storage::hooks::{Hook, PreviousKey};
use data_encoding::BASE64;
use quick_cache::sync::Cache;
use std::fmt;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Characters of the symmetric key.
const SYMMETRIC_KEY_CHARS: usize = 32;
/// The most replaced keys that still sign.
const MAX_PREVIOUS_KEYS: usize = 4;
/// The most keys that are kept decrypted: less than a megabyte.
const MAX_DECRYPTED_KEYS: usize = 1024;

/// One signing key. A hook from before there were asymmetric signatures has no pair until its key is renewed.
pub struct HookSigningKey {
    text: Zeroizing<String>,
    seed: Option<Zeroizing<[u8; 32]>>,
    pair: Option<Ed25519KeyPair>,
}

impl HookSigningKey {
    /// A new one.
    pub fn generate() -> Result<Self, RandomError> {
        Self::of(random::secret(SYMMETRIC_KEY_CHARS)?, Some(random::bytes()?)).map_err(|_| RandomError)
    }

    fn of(text: String, seed: Option<[u8; 32]>) -> Result<Self, EncryptionError> {
        let seed = seed.map(Zeroizing::new);
        let pair = seed.as_ref().map(|seed| Ed25519KeyPair::from_seed_unchecked(seed.as_ref()));
        let pair = pair.transpose().map_err(|_| EncryptionError::Damaged)?;
        Ok(Self { text: Zeroizing::new(text), seed, pair })
    }

    /// The key of `logto-signature-sha-256`, as text; its bytes are the key of `v1`
    /// (`docs/decisions/webhook-delivery.md`).
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The key of `v1` as Standard Webhooks writes it: `whsec_` and base64.
    #[must_use]
    pub fn secret(&self) -> String {
        format!("whsec_{}", BASE64.encode(self.text.as_bytes()))
    }

    /// The key that verifies `v1a`: `whpk_` and base64.
    #[must_use]
    pub fn public_key(&self) -> Option<String> {
        let pair = self.pair.as_ref()?;
        Some(format!("whpk_{}", BASE64.encode(pair.public_key().as_ref())))
    }

    pub(super) fn pair(&self) -> Option<&Ed25519KeyPair> {
        self.pair.as_ref()
    }

    /// Encrypted for the hook of this id.
    pub fn encrypt(&self, cipher: &Cipher, hook_id: &HookId) -> Result<String, EncryptionError> {
        let mut secret = Zeroizing::new(self.text.as_bytes().to_vec());
        if let Some(seed) = &self.seed {
            secret.extend_from_slice(seed.as_ref());
        }
        cipher.encrypt(Purpose::HookKey, hook_id, &secret)
    }

    fn decrypt(cipher: &Cipher, hook_id: &HookId, sealed: &str) -> Result<Self, EncryptionError> {
        let secret = cipher.decrypt(Purpose::HookKey, hook_id, sealed)?;
        let (text, seed) = secret.split_at_checked(SYMMETRIC_KEY_CHARS).ok_or(EncryptionError::Damaged)?;
        let text = std::str::from_utf8(text).map_err(|_| EncryptionError::Damaged)?;
        let seed = if seed.is_empty() { None } else { Some(seed.try_into().map_err(|_| EncryptionError::Damaged)?) };
        Self::of(text.to_owned(), seed)
    }
}

impl fmt::Debug for HookSigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HookSigningKey").finish_non_exhaustive()
    }
}

/// The current key of a hook.
pub fn current(cipher: &Cipher, hook: &Hook) -> Result<HookSigningKey, EncryptionError> {
    HookSigningKey::decrypt(cipher, &hook.id, &hook.signing_key)
}

/// All keys that sign now: the current one first, then those that it replaced not long ago.
pub fn valid(cipher: &Cipher, hook: &Hook, now: i64) -> Result<Vec<Arc<HookSigningKey>>, EncryptionError> {
    stored(hook, now).map(|sealed| HookSigningKey::decrypt(cipher, &hook.id, sealed).map(Arc::new)).collect()
}

fn stored(hook: &Hook, now: i64) -> impl Iterator<Item = &str> {
    let previous = hook.previous_keys.iter().filter(move |previous| previous.until > now);
    std::iter::once(&*hook.signing_key).chain(previous.map(|previous| &*previous.key))
}

/// A cache of decrypted keys. A key that is evicted is zeroed.
pub struct DecryptedKeys {
    cipher: Arc<Cipher>,
    /// Keyed by hook and ciphertext, so that a rotated or re-encrypted key has a new entry.
    decrypted: Cache<(HookId, String), Arc<HookSigningKey>>,
}

impl DecryptedKeys {
    /// None yet.
    #[must_use]
    pub fn new(cipher: Arc<Cipher>) -> Self {
        Self { cipher, decrypted: Cache::new(MAX_DECRYPTED_KEYS) }
    }

    /// The same as [`valid`].
    pub fn valid(&self, hook: &Hook, now: i64) -> Result<Vec<Arc<HookSigningKey>>, EncryptionError> {
        let decrypted = |sealed: &str| {
            let decrypt = || HookSigningKey::decrypt(&self.cipher, &hook.id, sealed).map(Arc::new);
            self.decrypted.get_or_insert_with(&(hook.id.clone(), sealed.to_owned()), decrypt)
        };
        stored(hook, now).map(decrypted).collect()
    }
}

/// Replaces the current key by an encrypted one. The replaced key also signs until `until`; expired keys are removed.
pub fn renew(hook: &mut Hook, sealed: String, until: i64, now: i64) {
    let replaced = PreviousKey { key: std::mem::replace(&mut hook.signing_key, sealed), until };
    hook.previous_keys.insert(0, replaced);
    hook.previous_keys.retain(|previous| previous.until > now);
    hook.previous_keys.truncate(MAX_PREVIOUS_KEYS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_storage::Json;
    use serde_json::Value;

    fn hook(signing_key: String) -> Hook {
        Hook {
            id: "h1".into(),
            name: "CRM".to_owned(),
            events: Json(Vec::new()),
            single_event: None,
            config: Json(Value::Null),
            signing_key,
            previous_keys: Json(Vec::new()),
            enabled: true,
            paused: false,
            ordered: false,
            max_in_flight: 1,
            rate_limit: None,
            failing_since: None,
            failures: 0,
            disabled_reason: None,
            created_at: 0,
        }
    }

    #[test]
    fn a_key_is_decrypted_once_until_it_is_another_one() -> Result<(), Box<dyn std::error::Error>> {
        let cipher = Arc::new(Cipher::new([&[1; 32]])?);
        let sealed = || -> Result<String, Box<dyn std::error::Error>> {
            Ok(HookSigningKey::generate()?.encrypt(&cipher, &"h1".into())?)
        };
        let keys = DecryptedKeys::new(Arc::clone(&cipher));
        let mut hook = hook(sealed()?);
        let first = keys.valid(&hook, 0)?;
        assert_eq!(first[0].text(), current(&cipher, &hook)?.text());
        assert!(Arc::ptr_eq(&first[0], &keys.valid(&hook, 0)?[0]));

        renew(&mut hook, sealed()?, 10, 0);
        let both = keys.valid(&hook, 9)?;
        assert_eq!((both.len(), both[0].text()), (2, current(&cipher, &hook)?.text()));
        assert!(Arc::ptr_eq(&first[0], &both[1]));
        assert_eq!(keys.valid(&hook, 10)?.len(), 1, "its time is over");

        let other = Hook { id: "h2".into(), ..hook };
        assert_eq!(keys.valid(&other, 10).err(), Some(EncryptionError::Damaged), "a key of another hook");
        Ok(())
    }
}
