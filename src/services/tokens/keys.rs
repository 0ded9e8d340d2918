//! The lifecycle of signing keys (`docs/decisions/signing-keys.md`).
//!
//! The keys of one algorithm form a line that rotates independently. The state of a key depends on its timestamps only:
//! it is published from its creation, signs from `activates_at` until a later key of its line does, and is removed at
//! `retires_at`, when the last token that it signed has expired. No scheduled task is needed.

use super::algorithm::{Algorithm, KeyError, generate_key, public_jwk};
use crate::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_domain::key_status::KeyStatus;
use claimsmith_domain::random::RandomError;
use claimsmith_storage::signing_keys::{self, SigningKey};
use claimsmith_storage::{self as storage, Json, Tx, applications, resources};
use serde_json::Value;
use std::cmp::Ordering;

/// A key could not be loaded or made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A secret could not be encrypted or decrypted.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// See [`KeyError`].
    #[error(transparent)]
    Key(#[from] KeyError),
    /// See [`storage::Error`].
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// Makes a key that is published from `now` and signs from `activates_at`, not stored yet.
pub fn make(algorithm: Algorithm, cipher: &Cipher, now: i64, activates_at: i64) -> Result<SigningKey, Error> {
    let private = generate_key(algorithm)?;
    let jwk = public_jwk(algorithm, &private)?;
    let kid = jwk.get("kid").and_then(Value::as_str).ok_or(KeyError)?.to_owned();
    let sealed_private = cipher.encrypt(Purpose::SigningKey, &kid, &private)?;
    Ok(SigningKey {
        kid,
        algorithm,
        public_jwk: Json(jwk),
        sealed_private,
        created_at: now,
        activates_at,
        retires_at: None,
    })
}

/// Whether there is a key of this algorithm that does not retire.
pub async fn has_line(tx: &mut Tx, algorithm: Algorithm, now: i64) -> storage::Result<bool> {
    let keys = signing_keys::published(tx, now).await?;
    Ok(keys.iter().any(|key| key.algorithm == algorithm && key.retires_at.is_none()))
}

/// Makes the first key of an algorithm if there is none; returns its `kid`. An RSA key takes long to generate; that of
/// ID tokens exists from the first start.
pub async fn begin_line(tx: &mut Tx, algorithm: Algorithm, cipher: &Cipher, now: i64) -> Result<Option<String>, Error> {
    if has_line(tx, algorithm, now).await? {
        return Ok(None);
    }
    let key = make(algorithm, cipher, now, now)?;
    signing_keys::insert(tx, &key).await?;
    Ok(Some(key.kid))
}

/// Publishes the next key of its algorithm, and returns it. Earlier ones are removed from the key set when the last
/// token that they can have signed has expired. The first key of an algorithm signs at once, since nothing was signed
/// before. `longest_lifetime` is in milliseconds, for tokens whose resource has no lifetime of its own.
pub async fn rotate(tx: &mut Tx, mut key: SigningKey, longest_lifetime: i64) -> storage::Result<SigningKey> {
    let published = signing_keys::published(tx, key.created_at).await?;
    if !published.iter().any(|before| before.algorithm == key.algorithm && before.retires_at.is_none()) {
        key.activates_at = key.created_at;
    }
    let of_resources = resources::longest_ttl(tx).await? * 1000;
    let lifetime = longest_lifetime.max(of_resources).max(longest_id_token(tx).await?);
    // A key that has not signed yet is replaced by this one.
    signing_keys::delete_later(tx, key.algorithm, key.activates_at).await?;
    signing_keys::insert(tx, &key).await?;
    signing_keys::retire_before(tx, key.algorithm, key.activates_at, key.activates_at.saturating_add(lifetime)).await?;
    Ok(key)
}

/// The longest lifetime of an ID token in milliseconds.
async fn longest_id_token(tx: &mut Tx) -> storage::Result<i64> {
    let applications = applications::all(tx).await?;
    let lifetimes = applications.iter().map(|one| one.custom_client_metadata.id_token_lifetime());
    Ok(lifetimes.max().unwrap_or_default() * 1000)
}

/// Which key of one algorithm signs, of its published keys in descending order of `activates_at`: the newest that is
/// active; before any is, the first that will be.
pub(super) fn signing_index<T>(line: &[T], now: i64, activates_at: impl Fn(&T) -> i64) -> Option<usize> {
    line.iter().position(|key| activates_at(key) <= now).or_else(|| line.len().checked_sub(1))
}

/// Every published key with its state, in descending order of `activates_at`. Of each algorithm, one is
/// [`KeyStatus::Current`].
pub async fn published(tx: &mut Tx, now: i64) -> storage::Result<Vec<(SigningKey, KeyStatus)>> {
    let keys = signing_keys::published(tx, now).await?;
    let statuses: Vec<KeyStatus> = keys.iter().map(|key| status_of(key, &keys, now)).collect();
    Ok(keys.into_iter().zip(statuses).collect())
}

fn status_of(key: &SigningKey, keys: &[SigningKey], now: i64) -> KeyStatus {
    let line: Vec<&SigningKey> = keys.iter().filter(|other| other.algorithm == key.algorithm).collect();
    let signing = signing_index(&line, now, |key| key.activates_at);
    match line.iter().position(|other| other.kid == key.kid).cmp(&signing) {
        Ordering::Less => KeyStatus::Next,
        Ordering::Equal => KeyStatus::Current,
        Ordering::Greater => KeyStatus::Previous,
    }
}
