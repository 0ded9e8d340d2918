//! Verifies an access token as a resource server does: with a standard library and the key set.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use serde_json::Value;

/// A verified token.
#[derive(Clone, Debug)]
pub struct Jwt {
    /// The key that signed it.
    pub kid: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// The header's `typ`.
    pub kind: Option<String>,
    /// The claims.
    pub claims: Value,
}

impl Jwt {
    /// Verifies signature, issuer, audience and expiry.
    pub(crate) fn verify(token: &str, keys: Value, issuer: &str, audience: &str) -> Result<Self, String> {
        let keys: JwkSet = serde_json::from_value(keys).map_err(|error| error.to_string())?;
        let header = decode_header(token).map_err(|error| error.to_string())?;
        let kid = header.kid.ok_or("the header names no key")?;
        let key = keys.find(&kid).ok_or("the key is not published")?;
        let mut validation = Validation::new(header.alg);
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.leeway = 0;
        let key = DecodingKey::from_jwk(key).map_err(|error| error.to_string())?;
        let claims = decode::<Value>(token, &key, &validation).map_err(|error| error.to_string())?.claims;
        Ok(Self { kid, algorithm: format!("{:?}", header.alg), kind: header.typ, claims })
    }
}
