//! The key ring: which key of an algorithm signs, which keys are published, and signature verification.

use super::algorithm::{Algorithm, KeyError, Signer, encode, public_jwk, signer};
use super::issued::ReadClaims;
use super::keys::{self, Error};
use crate::encryption::{Cipher, Purpose};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_storage::signing_keys::SigningKey;
use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{DecodingKey, Validation};
use quick_cache::sync::Cache;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The header's `typ` of access tokens (RFC 9068).
pub(super) const ACCESS_TOKEN: &str = "at+jwt";
/// The header's `typ` of ID tokens.
pub(super) const ID_TOKEN: &str = "JWT";
/// The header's `typ` of logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4).
pub(super) const LOGOUT_TOKEN: &str = "logout+jwt";

/// The number of access tokens whose signature is not verified again.
const MAX_VERIFIED: usize = 1000;
/// Longer tokens are verified each time.
const MAX_VERIFIED_BYTES: usize = 4096;

/// The stored keys, parsed.
pub struct KeyRing {
    published: Vec<RingKey>,
    /// Keys that left the key set and are not deleted yet.
    retired: Vec<PublicKey>,
    /// Verified access tokens, by the hash of issuer and token. A caller shows the same token many times, and verifying
    /// it costs as much as the rest of a small request.
    verified: Cache<[u8; 32], Arc<VerifiedToken>>,
}

/// An access token that one of the keys signed.
struct VerifiedToken {
    claims: Map<String, Value>,
    /// Unix milliseconds.
    expires_at: i64,
    /// When its key leaves the key set, Unix milliseconds.
    retires_at: Option<i64>,
}

struct RingKey {
    public: PublicKey,
    signer: Signer,
    activates_at: i64,
    retires_at: Option<i64>,
}

struct PublicKey {
    kid: String,
    algorithm: Algorithm,
    decoding: DecodingKey,
    jwk: Value,
}

/// The claims of an ID token that is used as a hint (`id_token_hint`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// `sub`.
    pub user_id: UserId,
    /// `aud`: the application it was issued to.
    pub client_id: ApplicationId,
    /// `sid`.
    pub session_id: Option<String>,
}

impl KeyRing {
    /// Decrypts and parses stored keys, in descending order of `activates_at`. Of keys that retired by `now`, only the
    /// public part is read.
    pub fn decrypt(stored: Vec<SigningKey>, cipher: &Cipher, now: i64) -> Result<Self, Error> {
        let (retired, published): (Vec<_>, Vec<_>) =
            stored.into_iter().partition(|key| key.retires_at.is_some_and(|end| end <= now));
        Ok(Self {
            published: published.iter().map(|key| RingKey::decrypt(key, cipher)).collect::<Result<_, _>>()?,
            retired: retired.iter().filter_map(|key| PublicKey::read(key).ok()).collect(),
            verified: Cache::new(MAX_VERIFIED),
        })
    }

    /// Signs `claims` as a JWT with this `typ`, by the key of `algorithm` that signs at `now`.
    pub fn sign(
        &self,
        typ: &str,
        claims: &Map<String, Value>,
        algorithm: Algorithm,
        now: i64,
    ) -> Result<String, KeyError> {
        let line: Vec<&RingKey> =
            self.published.iter().filter(|key| key.public.algorithm == algorithm && key.is_published(now)).collect();
        let index = keys::signing_index(&line, now, |key| key.activates_at).ok_or(KeyError)?;
        let key = line.get(index).ok_or(KeyError)?;
        let header = json!({ "alg": algorithm.as_str(), "kid": key.public.kid, "typ": typ });
        let payload = serde_json::to_vec(claims).map_err(|_| KeyError)?;
        let mut token = format!("{}.{}", encode(header.to_string().as_bytes()), encode(&payload));
        let signature = key.signer.sign(token.as_bytes())?;
        token.push('.');
        token.push_str(&encode(&signature));
        Ok(token)
    }

    /// The claims of an access token that one of these keys signed for `issuer`, if it has not expired. The caller
    /// checks audience, revocation and standing.
    #[must_use]
    pub fn verify(&self, token: &str, issuer: &str, now: i64) -> Option<Map<String, Value>> {
        let hash = Sha256::new().chain_update(issuer).chain_update([0]).chain_update(token).finalize();
        let hash = <[u8; 32]>::from(hash);
        let verified = if let Some(verified) = self.verified.get(&hash) {
            verified
        } else {
            let verified = Arc::new(self.verify_signature(token, issuer)?);
            if token.len() <= MAX_VERIFIED_BYTES {
                self.verified.insert(hash, Arc::clone(&verified));
            }
            verified
        };
        let is_live = verified.expires_at > now && verified.retires_at.is_none_or(|end| end > now);
        is_live.then(|| verified.claims.clone())
    }

    fn verify_signature(&self, token: &str, issuer: &str) -> Option<VerifiedToken> {
        let (kid, claims) = verify(token, ACCESS_TOKEN, issuer, self.published.iter().map(|key| &key.public))?;
        let key = self.published.iter().find(|key| key.public.kid == kid)?;
        let expires_at = claims.get("exp").and_then(Value::as_i64)?.checked_mul(1000)?;
        Some(VerifiedToken { claims, expires_at, retires_at: key.retires_at })
    }

    /// What an id token of `issuer` says as a hint. An expired one is still a hint, and so is one whose key has retired
    /// and is not deleted yet. The caller checks whether user, application and session still exist.
    #[must_use]
    pub fn verify_hint(&self, token: &str, issuer: &str) -> Option<Hint> {
        let known = self.published.iter().map(|key| &key.public).chain(&self.retired);
        let (_, claims) = verify(token, ID_TOKEN, issuer, known)?;
        let text = |name: &str| claims.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Hint { user_id: text("sub")?.into(), client_id: text("aud")?.into(), session_id: text("sid") })
    }

    /// The JSON Web Key Set (RFC 7517) as published at `now`.
    #[must_use]
    pub fn jwks(&self, now: i64) -> Value {
        let keys: Vec<&Value> =
            self.published.iter().filter(|key| key.is_published(now)).map(|key| &key.public.jwk).collect();
        json!({ "keys": keys })
    }
}

/// The claims of a JWT of this `typ` that one of these keys signed for `issuer`, with the key's id. The caller checks its
/// expiry, by the server's clock instead of the library's.
fn verify<'k>(
    token: &str,
    typ: &str,
    issuer: &str,
    keys: impl IntoIterator<Item = &'k PublicKey>,
) -> Option<(String, Map<String, Value>)> {
    // The header is untrusted input, and the library does not limit it.
    json::check(&decode(token.split('.').next()?)?, INCOMING).ok()?;
    let header = jsonwebtoken::decode_header(token).ok()?;
    if !header.typ.is_some_and(|named| named.eq_ignore_ascii_case(typ)) {
        return None;
    }
    let kid = header.kid?;
    let key = keys.into_iter().find(|key| key.kid == kid)?;
    let mut validation = Validation::new(in_jwt(key.algorithm));
    validation.set_issuer(&[issuer]);
    validation.set_required_spec_claims(&["exp", "iss"]);
    validation.validate_aud = false;
    validation.validate_exp = false;
    let ReadClaims(claims) = jsonwebtoken::decode(token, &key.decoding, &validation).ok()?.claims;
    Some((kid, claims))
}

impl RingKey {
    fn decrypt(stored: &SigningKey, cipher: &Cipher) -> Result<Self, Error> {
        let algorithm = stored.algorithm;
        let private = cipher.decrypt(Purpose::SigningKey, &stored.kid, &stored.sealed_private)?;
        let public = match PublicKey::read(stored) {
            Ok(public) => public,
            // The public key is derived from the private key, so a damaged `public_jwk` has no effect.
            Err(_) => PublicKey::parse(&stored.kid, algorithm, public_jwk(algorithm, &private)?)?,
        };
        let signer = signer(algorithm, &private)?;
        Ok(Self { public, signer, activates_at: stored.activates_at, retires_at: stored.retires_at })
    }

    fn is_published(&self, now: i64) -> bool {
        self.retires_at.is_none_or(|end| end > now)
    }
}

impl PublicKey {
    fn read(stored: &SigningKey) -> Result<Self, KeyError> {
        Self::parse(&stored.kid, stored.algorithm, stored.public_jwk.0.clone())
    }

    fn parse(kid: &str, algorithm: Algorithm, jwk: Value) -> Result<Self, KeyError> {
        let parsed: Jwk = serde_json::from_value(jwk.clone()).map_err(|_| KeyError)?;
        let decoding = DecodingKey::from_jwk(&parsed).map_err(|_| KeyError)?;
        Ok(Self { kid: kid.to_owned(), algorithm, decoding, jwk })
    }
}

fn decode(part: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(part.as_bytes()).ok()
}

/// The algorithm in the library that verifies.
pub(super) fn in_jwt(algorithm: Algorithm) -> jsonwebtoken::Algorithm {
    match algorithm {
        Algorithm::ES256 => jsonwebtoken::Algorithm::ES256,
        Algorithm::ES384 => jsonwebtoken::Algorithm::ES384,
        Algorithm::EdDSA => jsonwebtoken::Algorithm::EdDSA,
        Algorithm::RS256 => jsonwebtoken::Algorithm::RS256,
    }
}
