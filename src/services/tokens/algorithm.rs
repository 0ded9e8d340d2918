//! Signature algorithms of tokens, and parsed private keys.
//!
//! A key is parsed once and kept: parsing it for every token costs more than half as much as signing (ES384).

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm,
    Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
pub use claimsmith_domain::documents::algorithm::Algorithm;
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

/// A key could not be made, parsed or used.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the signing key cannot be used")]
pub struct KeyError;

/// A parsed private key.
pub(super) enum Signer {
    Ecdsa(EcdsaKeyPair, SystemRandom),
    Ed25519(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>, SystemRandom),
}

/// A new private key, PKCS#8.
pub fn generate_key(algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let random = SystemRandom::new();
    let bytes = match algorithm {
        Algorithm::ES256 | Algorithm::ES384 => {
            EcdsaKeyPair::generate_pkcs8(curve(algorithm).ok_or(KeyError)?.0, &random)
                .map_err(|_| KeyError)?
                .as_ref()
                .to_vec()
        }
        Algorithm::EdDSA => Ed25519KeyPair::generate_pkcs8(&random).map_err(|_| KeyError)?.as_ref().to_vec(),
        Algorithm::RS256 => {
            let pair = RsaKeyPair::generate(aws_lc_rs::rsa::KeySize::Rsa2048).map_err(|_| KeyError)?;
            let der: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| KeyError)?;
            der.as_ref().to_vec()
        }
    };
    Ok(Zeroizing::new(bytes))
}

/// Parses a private key.
pub(super) fn signer(algorithm: Algorithm, pkcs8: &[u8]) -> Result<Signer, KeyError> {
    Ok(match algorithm {
        Algorithm::ES256 | Algorithm::ES384 => {
            let (curve, _) = curve(algorithm).ok_or(KeyError)?;
            Signer::Ecdsa(EcdsaKeyPair::from_pkcs8(curve, pkcs8).map_err(|_| KeyError)?, SystemRandom::new())
        }
        Algorithm::EdDSA => Signer::Ed25519(Ed25519KeyPair::from_pkcs8(pkcs8).map_err(|_| KeyError)?),
        Algorithm::RS256 => {
            Signer::Rsa(Box::new(RsaKeyPair::from_pkcs8(pkcs8).map_err(|_| KeyError)?), SystemRandom::new())
        }
    })
}

/// The public part of a private key as a JWK with `kid` (RFC 7638 thumbprint), `use` and `alg`.
pub fn public_jwk(algorithm: Algorithm, pkcs8: &[u8]) -> Result<Value, KeyError> {
    // Members in the order of RFC 7638, so that the same value gives the thumbprint.
    let members = match signer(algorithm, pkcs8)? {
        Signer::Ecdsa(pair, _) => {
            let point = pair.public_key().as_ref();
            let (x, y) = point.get(1..).and_then(|xy| xy.split_at_checked(xy.len() / 2)).ok_or(KeyError)?;
            let crv = curve(algorithm).ok_or(KeyError)?.1;
            vec![("crv", crv.to_owned()), ("kty", "EC".to_owned()), ("x", encode(x)), ("y", encode(y))]
        }
        Signer::Ed25519(pair) => {
            let x = encode(pair.public_key().as_ref());
            vec![("crv", "Ed25519".to_owned()), ("kty", "OKP".to_owned()), ("x", x)]
        }
        Signer::Rsa(pair, _) => {
            let public = pair.public_key();
            let (e, n) = (public.exponent(), public.modulus());
            vec![
                ("e", encode(e.big_endian_without_leading_zero())),
                ("kty", "RSA".to_owned()),
                ("n", encode(n.big_endian_without_leading_zero())),
            ]
        }
    };
    let fields: Vec<String> = members.iter().map(|(name, value)| format!(r#""{name}":"{value}""#)).collect();
    let thumbprint = Sha256::digest(format!("{{{}}}", fields.join(",")));
    let mut jwk = json!({ "kid": encode(&thumbprint), "use": "sig", "alg": algorithm.as_str() });
    for (name, value) in members {
        jwk[name] = Value::String(value);
    }
    Ok(jwk)
}

/// The left half of the algorithm's hash, in base64url: how `at_hash` binds an access token to an ID token (OpenID
/// Connect Core section 3.1.3.6). Ed25519 itself hashes with SHA-512.
pub(super) fn half_hash(algorithm: Algorithm, text: &str) -> String {
    match algorithm {
        Algorithm::ES256 | Algorithm::RS256 => encode(&Sha256::digest(text)[..16]),
        Algorithm::ES384 => encode(&Sha384::digest(text)[..24]),
        Algorithm::EdDSA => encode(&Sha512::digest(text)[..32]),
    }
}

fn curve(algorithm: Algorithm) -> Option<(&'static EcdsaSigningAlgorithm, &'static str)> {
    match algorithm {
        Algorithm::ES256 => Some((&ECDSA_P256_SHA256_FIXED_SIGNING, "P-256")),
        Algorithm::ES384 => Some((&ECDSA_P384_SHA384_FIXED_SIGNING, "P-384")),
        Algorithm::EdDSA | Algorithm::RS256 => None,
    }
}

impl Signer {
    /// The signature in JWS form (for ECDSA `r || s`).
    pub(super) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        Ok(match self {
            Self::Ecdsa(pair, random) => pair.sign(random, message).map_err(|_| KeyError)?.as_ref().to_vec(),
            Self::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Self::Rsa(pair, random) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, random, message, &mut signature).map_err(|_| KeyError)?;
                signature
            }
        })
    }
}

/// Base64url without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
