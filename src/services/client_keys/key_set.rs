//! The public keys of a client that can verify a signature; everything else in its set is ignored (RFC 7517 section 5).

use super::algorithm::{Algorithm, KeyKind};
use claimsmith_domain::documents::client_authentication::{JwkSet, is_secret};
use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{DecodingKey, crypto};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The maximum number of keys of a set that are read.
pub const MAX_KEYS: usize = 32;
/// The maximum number of keys that one signature is verified with: the sender is not authenticated yet.
const MAX_TRIED: usize = 8;
/// The most bytes of a `kid`, which the audit log keeps.
const MAX_KID_BYTES: usize = 256;
/// Bytes of an RSA modulus: 2048 to 8192 bits.
const RSA_BYTES: std::ops::RangeInclusive<usize> = 256..=1024;

/// Keys that verify signatures.
#[derive(Debug, Default)]
pub struct KeySet(Vec<ClientJwk>);

/// One of them.
#[derive(Debug)]
pub struct ClientJwk {
    /// Its name, if it has one.
    pub kid: Option<String>,
    kind: KeyKind,
    /// The only algorithm that it may be used with, if it names one.
    algorithm: Option<Algorithm>,
    decoding: DecodingKey,
}

/// The members of a JSON Web Key that are read.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    alg: Option<String>,
    kid: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeySet {
    /// The usable keys among these.
    #[must_use]
    pub fn of(set: &JwkSet) -> Self {
        Self(set.keys.iter().take(MAX_KEYS).filter_map(ClientJwk::read).collect())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these keys could have made a signature with this algorithm and `kid`.
    #[must_use]
    pub fn may_verify(&self, kid: Option<&str>, algorithm: Algorithm) -> bool {
        self.candidates(kid, algorithm).next().is_some()
    }

    /// The key that made the signature of this message. With a `kid`, only keys of that name are tried.
    #[must_use]
    pub fn signer_of(
        &self,
        message: &str,
        signature: &str,
        kid: Option<&str>,
        algorithm: Algorithm,
    ) -> Option<&ClientJwk> {
        self.candidates(kid, algorithm).take(MAX_TRIED).find(|key| {
            crypto::verify(signature, message.as_bytes(), &key.decoding, algorithm.verifies).is_ok_and(|holds| holds)
        })
    }

    fn candidates(&self, kid: Option<&str>, algorithm: Algorithm) -> impl Iterator<Item = &ClientJwk> {
        self.0.iter().filter(move |key| {
            key.kind == algorithm.kind
                && key.algorithm.is_none_or(|only| only.verifies == algorithm.verifies)
                && kid.is_none_or(|kid| key.kid.as_deref() == Some(kid))
        })
    }
}

impl ClientJwk {
    /// A key that verifies signatures; `None` for one of another use, of another kind, malformed, or not public.
    fn read(members: &Map<String, Value>) -> Option<Self> {
        // A private key in a public document proves nothing.
        if is_secret(members) {
            return None;
        }
        let jwk: Jwk = serde_json::from_value(Value::Object(members.clone())).ok()?;
        let may_verify = jwk.usage.as_deref().is_none_or(|usage| usage == "sig")
            && jwk.key_ops.as_ref().is_none_or(|uses| uses.iter().any(|one| one == "verify"))
            && jwk.kid.as_ref().is_none_or(|kid| kid.len() <= MAX_KID_BYTES);
        let kind = jwk.kind().filter(|_| may_verify)?;
        let algorithm = match &jwk.alg {
            None => None,
            Some(name) => Some(Algorithm::parse(name).filter(|algorithm| algorithm.kind == kind)?),
        };
        let decoding = jwk.decoding(kind)?;
        Some(Self { kid: jwk.kid, kind, algorithm, decoding })
    }
}

impl Jwk {
    fn kind(&self) -> Option<KeyKind> {
        match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => Some(KeyKind::Rsa),
            ("EC", Some("P-256")) => Some(KeyKind::P256),
            ("EC", Some("P-384")) => Some(KeyKind::P384),
            ("OKP", Some("Ed25519")) => Some(KeyKind::Ed25519),
            _ => None,
        }
    }

    fn decoding(&self, kind: KeyKind) -> Option<DecodingKey> {
        let (x, y) = (self.x.as_deref().unwrap_or_default(), self.y.as_deref().unwrap_or_default());
        let point = |bytes: usize| {
            let is_whole = size(x) == Some(bytes) && size(y) == Some(bytes);
            is_whole.then(|| DecodingKey::from_ec_components(x, y).ok()).flatten()
        };
        match kind {
            KeyKind::Rsa => {
                let (n, e) = (self.n.as_deref()?, self.e.as_deref()?);
                RSA_BYTES.contains(&size(n)?).then(|| DecodingKey::from_rsa_components(n, e).ok()).flatten()
            }
            KeyKind::P256 => point(32),
            KeyKind::P384 => point(48),
            KeyKind::Ed25519 => (size(x)? == 32).then(|| DecodingKey::from_ed_components(x).ok()).flatten(),
        }
    }
}

/// The bytes of a text in base64url.
fn size(text: &str) -> Option<usize> {
    BASE64URL_NOPAD.decode(text.as_bytes()).ok().map(|bytes| bytes.len())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]
    #![expect(clippy::needless_pass_by_value, reason = "keys are made where they are given")]

    use super::*;
    use serde_json::json;

    fn set(keys: Value) -> KeySet {
        KeySet::of(&serde_json::from_value(json!({ "keys": keys })).unwrap())
    }

    fn usable(key: Value) -> bool {
        !set(json!([key])).is_empty()
    }

    #[test]
    fn keys_that_cannot_verify_are_ignored() {
        let (x, y) = ("A".repeat(43), "A".repeat(43));
        let good = json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": "k", "use": "sig", "alg": "ES256" });
        let with = |name: &str, value: Value| {
            let mut key = good.clone();
            key[name] = value;
            key
        };
        assert!(usable(good.clone()));
        assert!(usable(with("key_ops", json!(["verify"]))));
        for (name, value) in [
            ("use", json!("enc")),
            ("key_ops", json!(["encrypt"])),
            ("alg", json!("RS256")),
            ("alg", json!("ES384")),
            ("alg", json!("none")),
            ("crv", json!("P-384")),
            ("crv", json!("secp256k1")),
            ("kty", json!("oct")),
            ("kty", json!("RSA")),
            ("x", json!("AAAA")),
            ("y", json!(7)),
            ("d", json!("AAAA")),
            ("kid", json!("k".repeat(257))),
        ] {
            assert!(!usable(with(name, value.clone())), "{name} {value}");
        }
        assert!(!usable(json!({ "kty": "oct", "k": "c2VjcmV0", "alg": "HS256" })));
        assert!(!usable(json!({ "kty": "OKP", "crv": "X25519", "x": x })));
        assert!(usable(json!({ "kty": "OKP", "crv": "Ed25519", "x": x, "alg": "Ed25519" })));
        for (bits, fits) in [(1024, false), (2048, true), (4096, true), (16_384, false)] {
            let n = BASE64URL_NOPAD.encode(&vec![255; bits / 8]);
            assert_eq!(usable(json!({ "kty": "RSA", "n": n, "e": "AQAB" })), fits, "{bits}");
        }
    }

    #[test]
    fn a_key_is_for_its_algorithm_and_its_name() {
        let n = BASE64URL_NOPAD.encode(&[255; 256]);
        let keys = set(json!([
            { "kty": "RSA", "n": n, "e": "AQAB", "kid": "any" },
            { "kty": "RSA", "n": n, "e": "AQAB", "kid": "one", "alg": "PS256" },
            { "kty": "OKP", "crv": "Ed25519", "x": "A".repeat(43), "alg": "EdDSA" },
        ]));
        for (kid, name, fits) in [
            (Some("any"), "RS512", true),
            (Some("one"), "PS256", true),
            (Some("one"), "RS256", false),
            (Some("other"), "RS256", false),
            (None, "RS256", true),
            (None, "Ed25519", true),
            (None, "ES256", false),
        ] {
            assert_eq!(keys.may_verify(kid, Algorithm::parse(name).unwrap()), fits, "{kid:?} {name}");
        }
    }
}
