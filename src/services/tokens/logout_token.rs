//! Logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4): their claims, and their signature.

use super::algorithm::{Algorithm, KeyError};
use super::key_ring::{KeyRing, LOGOUT_TOKEN};
use claimsmith_domain::id::{ApplicationId, SessionId, UserId};
use serde_json::{Map, Value, json};

/// The lifetime of a logout token: two minutes, in seconds. Each attempt to deliver one makes a new token.
const LIFETIME_S: i64 = 120;
/// The only member of `events`.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// A logout token to be signed.
#[derive(Clone, Copy, Debug)]
pub struct LogoutToken<'a> {
    /// `sub`, as in the ID token.
    pub user_id: &'a UserId,
    /// `aud`: the application.
    pub client_id: &'a ApplicationId,
    /// `sid`, as in the ID token.
    pub session_id: &'a SessionId,
    /// The algorithm of the application's ID tokens.
    pub algorithm: Algorithm,
    /// `jti`, unique for each attempt.
    pub jti: &'a str,
}

impl LogoutToken<'_> {
    /// Signs it with the current key of its algorithm at `now` (Unix milliseconds).
    pub fn sign(self, keys: &KeyRing, issuer: &str, now: i64) -> Result<String, KeyError> {
        keys.sign(LOGOUT_TOKEN, &self.claims(issuer, now), self.algorithm, now)
    }

    /// Never with `nonce`: it could be taken for an ID token.
    fn claims(self, issuer: &str, now: i64) -> Map<String, Value> {
        let iat = now / 1000;
        [
            ("iss", json!(issuer)),
            ("sub", json!(self.user_id)),
            ("aud", json!(self.client_id)),
            ("iat", json!(iat)),
            ("exp", json!(iat + LIFETIME_S)),
            ("jti", json!(self.jti)),
            ("events", json!({ EVENT: {} })),
            ("sid", json!(self.session_id)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
    }
}
