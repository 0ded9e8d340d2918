//! The key of a client, and what it signs: client assertions, good and bad.

use claimsmith_services::tokens::{Algorithm, generate_key, public_jwk};
use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{EncodingKey, crypto};
use serde_json::{Value, json};

/// The bytes of PKCS #8 before the key itself, of an RSA key of 2048 bits.
const PKCS8_OF_RSA: usize = 26;

/// A private key, and its public part.
#[derive(Clone)]
pub struct ClientKey {
    /// Its public part, a JSON Web Key with the `kid`, and without an algorithm.
    pub jwk: Value,
    key: EncodingKey,
}

impl ClientKey {
    /// A new key of this kind and name.
    #[must_use]
    pub fn new(algorithm: Algorithm, kid: &str) -> Self {
        let pkcs8 = generate_key(algorithm).unwrap();
        let mut jwk = public_jwk(algorithm, &pkcs8).unwrap();
        jwk["kid"] = json!(kid);
        jwk.as_object_mut().unwrap().remove("alg");
        let key = match algorithm {
            Algorithm::ES256 | Algorithm::ES384 => EncodingKey::from_ec_der(&pkcs8),
            Algorithm::EdDSA => EncodingKey::from_ed_der(&pkcs8),
            Algorithm::RS256 => EncodingKey::from_rsa_der(&pkcs8[PKCS8_OF_RSA..]),
        };
        Self { jwk, key }
    }

    /// An HMAC key.
    #[must_use]
    pub fn symmetric(secret: &[u8]) -> Self {
        Self {
            jwk: json!({ "kty": "oct", "k": BASE64URL_NOPAD.encode(secret) }),
            key: EncodingKey::from_secret(secret),
        }
    }

    /// A JWT of this header and these claims, signed as the header's `alg` says.
    #[must_use]
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let algorithm = match header["alg"].as_str().unwrap() {
            // RFC 9864.
            "Ed25519" => "EdDSA",
            other => other,
        };
        let encode = |part: &Value| BASE64URL_NOPAD.encode(part.to_string().as_bytes());
        let message = format!("{}.{}", encode(header), encode(claims));
        let signature = crypto::sign(message.as_bytes(), &self.key, algorithm.parse().unwrap()).unwrap();
        format!("{message}.{signature}")
    }
}
