//! The key ring: which key signs, which keys are published, and signature verification.
//!
//! The state of a key depends on its timestamps only: it is published from its creation, signs from `activates_at`
//! until a later key does, and is removed at `retires_at`, when the last token that it signed has expired. No scheduled
//! task is needed.

use super::algorithm::{Algorithm, KeyError, Signer, encode};
use super::issued::Issued;
use crate::encryption::{Cipher, EncryptionError};
use crate::random::RandomError;
use crate::storage::signing_keys::{self, SigningKey};
use crate::storage::{self, Json, Tx, resources};
use claimsmith_runtime::json::{self, INCOMING};
use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{DecodingKey, Validation};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// Table name to which encrypted private keys are bound.
const TABLE: &str = "signing_keys";

/// Every published key, parsed.
pub struct KeyRing(Vec<Key>);

struct Key {
    kid: String,
    algorithm: Algorithm,
    signer: Signer,
    decoding: DecodingKey,
    jwk: Value,
    header: String,
    activates_at: i64,
    retires_at: Option<i64>,
}

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
    #[error(transparent)]
    Storage(#[from] storage::Error),
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
}

impl KeyRing {
    /// Decrypts and parses stored keys, in descending order of `activates_at`.
    pub fn decrypt(stored: &[SigningKey], cipher: &Cipher) -> Result<Self, Error> {
        stored.iter().map(|key| Key::decrypt(key, cipher)).collect::<Result<_, _>>().map(Self)
    }

    /// Signs `claims` as a JWT with header `typ` `at+jwt` (RFC 9068), by the key that signs at `now`.
    pub fn sign(&self, claims: &Map<String, Value>, now: i64) -> Result<String, KeyError> {
        let key = self.0.iter().find(|key| key.activates_at <= now && key.is_published(now)).ok_or(KeyError)?;
        let payload = serde_json::to_vec(claims).map_err(|_| KeyError)?;
        let mut token = format!("{}.{}", key.header, encode(&payload));
        let signature = key.signer.sign(token.as_bytes())?;
        token.push('.');
        token.push_str(&encode(&signature));
        Ok(token)
    }

    /// The claims of an access token that one of these keys signed for `issuer`, if it has not expired. The caller
    /// checks audience, revocation and standing.
    #[must_use]
    pub fn verify(&self, token: &str, issuer: &str, now: i64) -> Option<Map<String, Value>> {
        // The header is untrusted input, and the library does not limit it.
        json::check(&decode(token.split('.').next()?)?, INCOMING).ok()?;
        let header = jsonwebtoken::decode_header(token).ok()?;
        if !header.typ.is_some_and(|typ| typ.eq_ignore_ascii_case("at+jwt")) {
            return None;
        }
        let kid = header.kid?;
        let key = self.0.iter().find(|key| key.kid == kid && key.is_published(now))?;
        let mut validation = Validation::new(key.algorithm.into());
        validation.set_issuer(&[issuer]);
        validation.set_required_spec_claims(&["exp", "iss"]);
        validation.validate_aud = false;
        // The expiry is checked below, with the server's clock instead of the library's.
        validation.validate_exp = false;
        let Issued(claims) = jsonwebtoken::decode(token, &key.decoding, &validation).ok()?.claims;
        let expires_at = claims.get("exp").and_then(Value::as_i64)?;
        (expires_at * 1000 > now).then_some(claims)
    }

    /// The JSON Web Key Set (RFC 7517) as published at `now`.
    #[must_use]
    pub fn jwks(&self, now: i64) -> Value {
        let keys: Vec<&Value> = self.0.iter().filter(|key| key.is_published(now)).map(|key| &key.jwk).collect();
        json!({ "keys": keys })
    }

    /// The algorithms of the published keys, each once.
    #[must_use]
    pub fn algorithms(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.0.iter().map(|key| key.algorithm.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Key {
    fn decrypt(stored: &SigningKey, cipher: &Cipher) -> Result<Self, Error> {
        let algorithm = Algorithm::parse(&stored.algorithm).ok_or(KeyError)?;
        let private = cipher.decrypt(TABLE, &stored.kid, &stored.sealed_private)?;
        let public_jwk = match serde_json::from_value::<jsonwebtoken::jwk::Jwk>(stored.public_jwk.0.clone()) {
            Ok(_) => stored.public_jwk.0.clone(),
            // The public key is derived from the private key, so a damaged `public_jwk` has no effect.
            Err(_) => algorithm.public_jwk(&private)?,
        };
        let jwk: jsonwebtoken::jwk::Jwk = serde_json::from_value(public_jwk.clone()).map_err(|_| KeyError)?;
        let header = json!({ "alg": algorithm.as_str(), "kid": stored.kid, "typ": "at+jwt" });
        Ok(Self {
            kid: stored.kid.clone(),
            algorithm,
            signer: algorithm.signer(&private)?,
            decoding: DecodingKey::from_jwk(&jwk).map_err(|_| KeyError)?,
            jwk: public_jwk,
            header: encode(header.to_string().as_bytes()),
            activates_at: stored.activates_at,
            retires_at: stored.retires_at,
        })
    }

    fn is_published(&self, now: i64) -> bool {
        self.retires_at.is_none_or(|end| end > now)
    }
}

fn decode(part: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(part.as_bytes()).ok()
}

impl From<Algorithm> for jsonwebtoken::Algorithm {
    fn from(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::ES256 => Self::ES256,
            Algorithm::ES384 => Self::ES384,
            Algorithm::EdDSA => Self::EdDSA,
            Algorithm::RS256 => Self::RS256,
        }
    }
}

/// Makes a key that is published from `now` and signs from `activates_at`, not stored yet.
pub fn make(algorithm: Algorithm, cipher: &Cipher, now: i64, activates_at: i64) -> Result<SigningKey, Error> {
    let private = algorithm.generate()?;
    let jwk = algorithm.public_jwk(&private)?;
    let kid = jwk.get("kid").and_then(Value::as_str).ok_or(KeyError)?.to_owned();
    let sealed_private = cipher.encrypt(TABLE, &kid, &private)?;
    Ok(SigningKey {
        kid,
        algorithm: algorithm.as_str().to_owned(),
        public_jwk: Json(jwk),
        sealed_private,
        created_at: now,
        activates_at,
        retires_at: None,
    })
}

/// Publishes the next key. Earlier keys are removed from the key set when the last token that they can have signed has
/// expired. `longest_lifetime` is in milliseconds, for tokens whose resource has no lifetime of its own.
pub async fn rotate(tx: &mut Tx, key: &SigningKey, longest_lifetime: i64) -> storage::Result<()> {
    let lifetime = longest_lifetime.max(resources::longest_ttl(tx).await? * 1000);
    // A key that has not signed yet is replaced by this one.
    signing_keys::delete_later(tx, key.activates_at).await?;
    signing_keys::insert(tx, key).await?;
    signing_keys::retire_before(tx, key.activates_at, key.activates_at + lifetime).await
}

/// The state of a published key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum KeyStatus {
    /// It will sign.
    Next,
    /// It signs.
    Current,
    /// It does not sign any more, but its tokens are still valid.
    Previous,
}

/// Every published key with its state, in descending order of `activates_at`.
pub async fn published(tx: &mut Tx, now: i64) -> storage::Result<Vec<(SigningKey, KeyStatus)>> {
    let keys = signing_keys::published(tx, now).await?;
    let signing = keys.iter().position(|key| key.activates_at <= now).unwrap_or(keys.len());
    let status = |index: usize| match index.cmp(&signing) {
        Ordering::Less => KeyStatus::Next,
        Ordering::Equal => KeyStatus::Current,
        Ordering::Greater => KeyStatus::Previous,
    };
    Ok(keys.into_iter().enumerate().map(|(index, key)| (key, status(index))).collect())
}

/// Re-encrypts every stored key under the current encryption key. Returns their number.
pub async fn rekey(tx: &mut Tx, cipher: &Cipher, now: i64) -> Result<usize, Error> {
    let keys = signing_keys::published(tx, now).await?;
    for key in &keys {
        let private = cipher.decrypt(TABLE, &key.kid, &key.sealed_private)?;
        signing_keys::replace_private_key(tx, &key.kid, &cipher.encrypt(TABLE, &key.kid, &private)?).await?;
    }
    Ok(keys.len())
}
