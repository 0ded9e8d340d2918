//! ID tokens (OpenID Connect Core section 2): their claims, and their signature.

use super::algorithm::{Algorithm, KeyError, half_hash};
use super::key_ring::{ID_TOKEN, KeyRing};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_runtime::RESERVED_CLAIMS;
use serde_json::{Map, Value, json};

/// The claim that distinguishes a logout token from an ID token (OpenID Connect Back-Channel Logout section 2.4): an ID
/// token with it could be mistaken for one.
const LOGOUT_EVENTS: &str = "events";

/// An ID token to be signed.
pub struct IdToken<'a> {
    /// `sub`.
    pub user_id: &'a UserId,
    /// `aud`: the application.
    pub client_id: &'a ApplicationId,
    /// What the application chose.
    pub algorithm: Algorithm,
    /// Seconds.
    pub lifetime: i64,
    /// When the user signed in, in Unix seconds.
    pub auth_time: i64,
    /// What the application sent.
    pub nonce: Option<&'a str>,
    /// `sid`: the session.
    pub session_id: Option<&'a str>,
    /// The authentication context class of the sign-in.
    pub acr: Option<&'a str>,
    /// The authentication methods of the sign-in; the claim is omitted if there are none.
    pub amr: Vec<&'a str>,
    /// The access token that is issued with it, for `at_hash`.
    pub access_token: Option<&'a str>,
    /// Claims of the user.
    pub user_claims: Map<String, Value>,
    /// Claims of plugins, which override those of the user. Reserved ones, and `events`, are left out.
    pub custom_claims: Map<String, Value>,
}

impl IdToken<'_> {
    /// Signs it with the current key of its algorithm at `now` (Unix milliseconds).
    pub fn sign(self, keys: &KeyRing, issuer: &str, now: i64) -> Result<String, KeyError> {
        let algorithm = self.algorithm;
        keys.sign(ID_TOKEN, &self.claims(issuer, now), algorithm, now)
    }

    /// Its claims.
    pub(super) fn claims(self, issuer: &str, now: i64) -> Map<String, Value> {
        let given = self.user_claims.into_iter().chain(self.custom_claims);
        let mut claims: Map<String, Value> =
            given.filter(|(name, _)| !RESERVED_CLAIMS.contains(&name.as_str()) && name != LOGOUT_EVENTS).collect();
        let mut put = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        put("iss", json!(issuer));
        put("sub", json!(self.user_id));
        put("aud", json!(self.client_id));
        put("exp", json!(now / 1000 + self.lifetime));
        put("iat", json!(now / 1000));
        put("auth_time", json!(self.auth_time));
        for (name, value) in [("nonce", self.nonce), ("sid", self.session_id), ("acr", self.acr)] {
            if let Some(value) = value {
                put(name, json!(value));
            }
        }
        if !self.amr.is_empty() {
            put("amr", json!(self.amr));
        }
        if let Some(token) = self.access_token {
            put("at_hash", json!(half_hash(self.algorithm, token)));
        }
        claims
    }
}

#[cfg(test)]
mod tests {
    use super::super::key_ring::in_jwt;
    use super::*;
    use crate::encryption::Cipher;
    use crate::tokens::key_ring::Hint;
    use crate::tokens::keys;
    use jsonwebtoken::jwk::JwkSet;
    use jsonwebtoken::{DecodingKey, Validation};

    const ISSUER: &str = "https://id.test/oidc";
    const NOW: i64 = 1_760_000_000_000;

    type TestResult = Result<(), Box<dyn std::error::Error>>;

    fn token<'a>(user_id: &'a UserId, client_id: &'a ApplicationId, algorithm: Algorithm) -> IdToken<'a> {
        IdToken {
            user_id,
            client_id,
            algorithm,
            lifetime: 3600,
            auth_time: 1_759_999_000,
            nonce: None,
            session_id: None,
            acr: None,
            amr: Vec::new(),
            access_token: None,
            user_claims: Map::new(),
            custom_claims: Map::new(),
        }
    }

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    /// A ring with a key of each algorithm that signs from `NOW` and retires at `retires_at`.
    fn ring(retires_at: Option<i64>, loaded_at: i64) -> Result<KeyRing, keys::Error> {
        let cipher = Cipher::new([&[7; 32]])?;
        let mut stored = Vec::new();
        for algorithm in Algorithm::ALL {
            stored.push(claimsmith_storage::signing_keys::SigningKey {
                retires_at,
                ..keys::make(algorithm, &cipher, NOW, NOW)?
            });
        }
        KeyRing::decrypt(stored, &cipher, loaded_at)
    }

    #[test]
    fn every_algorithm_is_verified_with_the_published_keys() -> TestResult {
        let keys = ring(None, NOW)?;
        let published: JwkSet = serde_json::from_value(keys.jwks(NOW))?;
        let (user, client) = (UserId::from("u1".to_owned()), ApplicationId::from("app".to_owned()));
        // The halves of SHA-256, SHA-384 and SHA-512 of the text, made with another tool.
        let (sha256, sha384, sha512) = (AT_HASHES[0], AT_HASHES[1], AT_HASHES[2]);
        for (algorithm, at_hash) in [
            (Algorithm::RS256, sha256),
            (Algorithm::ES256, sha256),
            (Algorithm::ES384, sha384),
            (Algorithm::EdDSA, sha512),
        ] {
            let access_token = Some(ACCESS_TOKEN);
            let signed = IdToken { access_token, ..token(&user, &client, algorithm) }.sign(&keys, ISSUER, NOW)?;
            let header = jsonwebtoken::decode_header(&signed)?;
            assert_eq!((header.alg, header.typ.as_deref()), (in_jwt(algorithm), Some("JWT")));
            let jwk = published.find(&header.kid.unwrap_or_default()).ok_or("not published")?;
            let mut validation = Validation::new(in_jwt(algorithm));
            validation.set_audience(&["app"]);
            validation.validate_exp = false;
            let claims = jsonwebtoken::decode::<Value>(&signed, &DecodingKey::from_jwk(jwk)?, &validation)?.claims;
            let expected = json!({
                "iss": ISSUER, "sub": "u1", "aud": "app", "exp": NOW / 1000 + 3600, "iat": NOW / 1000,
                "auth_time": 1_759_999_000, "at_hash": at_hash,
            });
            assert_eq!(claims, expected);
            // It is not an access token.
            assert_eq!(keys.verify(&signed, ISSUER, NOW), None);
        }
        Ok(())
    }

    const ACCESS_TOKEN: &str = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
    const AT_HASHES: [&str; 3] =
        ["77QmUPtjPfzWtF2AnpK9RQ", "jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs", "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM"];

    #[test]
    fn neither_users_nor_plugins_set_what_is_reserved() {
        let (user, client) = (UserId::from("u1".to_owned()), ApplicationId::from("app".to_owned()));
        for name in RESERVED_CLAIMS.into_iter().chain([LOGOUT_EVENTS]) {
            let forged = map(json!({ name: "forged" }));
            let claims = IdToken {
                user_claims: forged.clone(),
                custom_claims: forged,
                ..token(&user, &client, Algorithm::RS256)
            }
            .claims(ISSUER, NOW);
            assert_ne!(claims.get(name), Some(&json!("forged")), "{name}");
        }
        let claims = IdToken {
            nonce: Some("n"),
            session_id: Some("s"),
            acr: Some("urn:level"),
            amr: vec!["pwd", "otp"],
            user_claims: map(json!({ "name": "Ada", "roles": ["a"], "acr": "low" })),
            custom_claims: map(json!({ "name": "Countess", "tier": 2, "amr": [], "acr": "none" })),
            ..token(&user, &client, Algorithm::RS256)
        }
        .claims(ISSUER, NOW);
        let expected = json!({
            "iss": ISSUER, "sub": "u1", "aud": "app", "exp": NOW / 1000 + 3600, "iat": NOW / 1000,
            "auth_time": 1_759_999_000, "nonce": "n", "sid": "s", "acr": "urn:level", "amr": ["pwd", "otp"],
            "name": "Countess", "roles": ["a"], "tier": 2,
        });
        assert_eq!(Value::Object(claims), expected);
    }

    #[test]
    fn an_id_token_of_this_issuer_is_a_hint_also_when_it_has_expired() -> TestResult {
        let day = 24 * 3_600_000;
        let (user, client) = (UserId::from("u1".to_owned()), ApplicationId::from("app".to_owned()));
        let keys = ring(Some(NOW + 1), NOW)?;
        let hint = |session: Option<&str>| Hint {
            user_id: user.clone(),
            client_id: client.clone(),
            session_id: session.map(str::to_owned),
        };
        let sign = |session_id, lifetime, algorithm, at| {
            IdToken { lifetime, session_id, ..token(&user, &client, algorithm) }.sign(&keys, ISSUER, at)
        };
        for algorithm in Algorithm::ALL {
            for session in [None, Some("s1")] {
                let expired = sign(session, -day / 1000, algorithm, NOW)?;
                assert_eq!(keys.verify_hint(&expired, ISSUER), Some(hint(session)));
            }
        }
        let good = sign(None, 60, Algorithm::RS256, NOW)?;
        assert_eq!(keys.verify_hint(&good, "https://other.test/oidc"), None);
        assert_eq!(ring(None, NOW)?.verify_hint(&good, ISSUER), None, "the keys of somebody else");
        let (head, signature) = good.rsplit_once('.').ok_or("no signature")?;
        let flipped: String = signature.chars().rev().collect();
        let access = keys.sign(
            "at+jwt",
            &map(json!({ "iss": ISSUER, "exp": 1, "sub": "u1", "aud": "app" })),
            Algorithm::RS256,
            NOW,
        )?;
        for bad in [format!("{head}.{flipped}"), format!("{head}."), head.to_owned(), access, String::new()] {
            assert_eq!(keys.verify_hint(&bad, ISSUER), None, "{bad}");
        }
        Ok(())
    }

    #[test]
    fn a_hint_outlives_the_publication_of_its_key() -> TestResult {
        let cipher = Cipher::new([&[7; 32]])?;
        let mut key = keys::make(Algorithm::RS256, &cipher, NOW, NOW)?;
        let (user, client) = (UserId::from("u1".to_owned()), ApplicationId::from("app".to_owned()));
        let before = KeyRing::decrypt(vec![key.clone()], &cipher, NOW)?;
        let signed = token(&user, &client, Algorithm::RS256).sign(&before, ISSUER, NOW)?;
        key.retires_at = Some(NOW + 1);
        // Its private part is no longer needed, even if it cannot be decrypted.
        key.sealed_private = String::new();
        let after = KeyRing::decrypt(vec![key], &cipher, NOW + 1)?;
        assert_eq!(after.jwks(NOW + 1), json!({ "keys": [] }));
        assert!(token(&user, &client, Algorithm::RS256).sign(&after, ISSUER, NOW + 1).is_err());
        assert!(after.verify_hint(&signed, ISSUER).is_some());
        Ok(())
    }
}
