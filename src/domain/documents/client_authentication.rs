//! Client authentication: the registered method (RFC 7591 section 2), and the client's public keys (RFC 7517).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A method of client authentication at the token endpoint, and at every other endpoint that asks for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthMethod {
    /// A secret in the Basic header (RFC 6749 section 2.3.1).
    ClientSecretBasic,
    /// A secret in the body.
    ClientSecretPost,
    /// An assertion that the client signed (RFC 7523, OpenID Connect Core section 9).
    PrivateKeyJwt,
    /// None: a public client.
    None,
}

impl AuthMethod {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::ClientSecretBasic, Self::ClientSecretPost, Self::PrivateKeyJwt, Self::None];
    /// The methods that authenticate the client.
    pub const CONFIDENTIAL: [Self; 3] = [Self::ClientSecretBasic, Self::ClientSecretPost, Self::PrivateKeyJwt];
}

/// Which audience (`aud`) a client assertion may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClientAssertionAudience {
    /// The issuer, as one string, and nothing else.
    #[default]
    Issuer,
    /// Also the URL of the endpoint that is called, or a list all of whose members are the issuer or that URL.
    Legacy,
}

/// A set of public keys (RFC 7517 section 5), as the client gave it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct JwkSet {
    /// Each a JSON Web Key.
    #[schema(value_type = Vec<Object>)]
    pub keys: Vec<Map<String, Value>>,
}

/// The members of a private or symmetric key (RFC 7518 sections 6.2.2, 6.3.2 and 6.4).
const SECRET_MEMBERS: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// Whether a key contains private members.
#[must_use]
pub fn is_secret(jwk: &Map<String, Value>) -> bool {
    SECRET_MEMBERS.iter().any(|member| jwk.contains_key(*member))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn methods_have_their_registered_names() {
        let names = json!(["client_secret_basic", "client_secret_post", "private_key_jwt", "none"]);
        assert_eq!(serde_json::to_value(AuthMethod::ALL).unwrap(), names);
    }

    #[test]
    fn private_and_symmetric_keys_are_secret() {
        for (jwk, secret) in [
            (json!({ "kty": "EC", "crv": "P-256", "x": "x", "y": "y", "kid": "d", "use": "sig" }), false),
            (json!({ "kty": "RSA", "n": "n", "e": "AQAB" }), false),
            (json!({ "kty": "EC", "crv": "P-256", "x": "x", "y": "y", "d": "d" }), true),
            (json!({ "kty": "RSA", "n": "n", "e": "AQAB", "qi": null }), true),
            (json!({ "kty": "oct", "k": "c2VjcmV0" }), true),
        ] {
            assert_eq!(is_secret(jwk.as_object().unwrap()), secret, "{jwk}");
        }
    }
}
