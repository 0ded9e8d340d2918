//! A client assertion: a short-lived JWT that a client made and signed for this server (RFC 7523 section 3).

use super::algorithm::Algorithm;
use super::key_set::{ClientJwk, KeySet};
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_domain::id::ApplicationId;
use claimsmith_runtime::json::{self, INCOMING};
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The `client_assertion_type`.
pub const TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// The most bytes of an assertion.
const MAX_ASSERTION_BYTES: usize = 8 * 1024;
/// How far ahead the expiry may be, in milliseconds.
const MAX_LIFETIME_MS: i64 = 300_000;
/// How far the client's clock may be ahead of ours, or behind, in milliseconds.
const LEEWAY_MS: i64 = 30_000;

/// An assertion that was read. Nothing in it is proven before [`Assertion::check_times`], [`Assertion::check_audience`]
/// and [`Assertion::signer`].
pub struct Assertion {
    /// The client that it claims: its `iss` and its `sub`.
    pub client_id: ApplicationId,
    /// Its id; single use.
    pub jti: String,
    /// When it expires, Unix milliseconds.
    pub expires_at: i64,
    /// The name of the key, if it names one.
    pub kid: Option<String>,
    /// How it is signed.
    pub algorithm: Algorithm,
    audience: AssertionAudience,
    issued_at: Option<i64>,
    not_before: Option<i64>,
    /// The signed text, and the signature.
    signed: (String, String),
}

/// The reason that an assertion is refused, for the log. The client only learns that it is not authenticated. It does
/// not implement `Error`, which would turn it into a failure of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertionRefusal {
    /// The type is another one than [`TYPE`].
    Type,
    /// It is not a readable JWT, or lacks a claim.
    Malformed,
    /// It was made for another purpose.
    Purpose,
    /// Its algorithm is not accepted.
    Algorithm,
    /// It belongs to another client.
    Client,
    /// It is for another audience.
    Audience,
    /// It has expired, lives too long, or is not valid yet.
    Time,
    /// There is no such client, or it uses another authentication method.
    Method,
    /// The client's keys could not be fetched.
    NoKeys,
    /// No key of the client made the signature.
    Signature,
    /// It was used before.
    Used,
}

impl AssertionRefusal {
    /// The reason, in words.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::Type => "the type of the assertion is unknown",
            Self::Malformed => "it is not a JWT with iss, sub, aud, exp and jti",
            Self::Purpose => "its typ or crit is not that of a client assertion",
            Self::Algorithm => "its algorithm is not one of the accepted asymmetric ones",
            Self::Client => "iss, sub and client_id are not the same client",
            Self::Audience => "its audience is not the issuer alone",
            Self::Time => "it has expired, lives for more than five minutes, or begins later",
            Self::Method => "the client is unknown, or authenticates by another method",
            Self::NoKeys => "the client's keys cannot be fetched",
            Self::Signature => "no key of the client made its signature",
            Self::Used => "its jti was used before",
        }
    }
}

#[derive(Deserialize)]
struct JoseHeader {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    /// No extension is supported, so any critical one is refused (RFC 7515 section 4.1.11).
    crit: Option<IgnoredAny>,
}

/// The derived deserializer refuses a repeated claim.
#[derive(Deserialize)]
struct AssertionClaims {
    iss: String,
    sub: String,
    aud: AssertionAudience,
    exp: f64,
    jti: String,
    iat: Option<f64>,
    nbf: Option<f64>,
}

/// A single value, or a list. An assertion for several servers could be replayed by one of them at the others.
#[derive(Deserialize)]
#[serde(untagged)]
enum AssertionAudience {
    One(String),
    List(Vec<String>),
}

impl Assertion {
    /// Reads one.
    pub fn read(text: &str) -> Result<Self, AssertionRefusal> {
        if text.len() > MAX_ASSERTION_BYTES {
            return Err(AssertionRefusal::Malformed);
        }
        let (message, signature) = text.rsplit_once('.').ok_or(AssertionRefusal::Malformed)?;
        let (header, payload) = message.split_once('.').ok_or(AssertionRefusal::Malformed)?;
        let header: JoseHeader = part(header)?;
        if header.crit.is_some() || !header.typ.as_deref().is_none_or(is_typ) {
            return Err(AssertionRefusal::Purpose);
        }
        let algorithm = Algorithm::parse(&header.alg).ok_or(AssertionRefusal::Algorithm)?;
        let claims: AssertionClaims = part(payload)?;
        if claims.jti.is_empty() {
            return Err(AssertionRefusal::Malformed);
        }
        if claims.iss != claims.sub {
            return Err(AssertionRefusal::Client);
        }
        Ok(Self {
            client_id: claims.sub.into(),
            jti: claims.jti,
            expires_at: ms(claims.exp),
            kid: header.kid,
            algorithm,
            audience: claims.aud,
            issued_at: claims.iat.map(ms),
            not_before: claims.nbf.map(ms),
            signed: (message.to_owned(), signature.to_owned()),
        })
    }

    /// Checks the audience. By default the issuer as one string is the only accepted audience: an attacker who makes a
    /// client believe that an endpoint of this server is their own issuer would otherwise get an assertion that works
    /// here (audience injection).
    pub fn check_audience(
        &self,
        setting: ClientAssertionAudience,
        issuer: &str,
        endpoint: &str,
    ) -> Result<(), AssertionRefusal> {
        let fits = match (setting, &self.audience) {
            (ClientAssertionAudience::Issuer, AssertionAudience::One(audience)) => audience == issuer,
            (ClientAssertionAudience::Issuer, AssertionAudience::List(_)) => false,
            (ClientAssertionAudience::Legacy, AssertionAudience::One(audience)) => {
                audience == issuer || audience == endpoint
            }
            (ClientAssertionAudience::Legacy, AssertionAudience::List(list)) => {
                !list.is_empty() && list.iter().all(|audience| audience == issuer || audience == endpoint)
            }
        };
        if fits { Ok(()) } else { Err(AssertionRefusal::Audience) }
    }

    /// Checks its times.
    pub fn check_times(&self, now: i64) -> Result<(), AssertionRefusal> {
        let lives = self.expires_at > now && self.expires_at <= now.saturating_add(MAX_LIFETIME_MS);
        // One that was issued long ago has a longer lifetime than its expiry suggests.
        let is_recent = self.issued_at.is_none_or(|at| {
            at <= now.saturating_add(LEEWAY_MS) && at >= now.saturating_sub(MAX_LIFETIME_MS + LEEWAY_MS)
        });
        let has_begun = self.not_before.is_none_or(|at| at <= now.saturating_add(LEEWAY_MS));
        if lives && is_recent && has_begun { Ok(()) } else { Err(AssertionRefusal::Time) }
    }

    /// The key that signed it.
    #[must_use]
    pub fn signer<'k>(&self, keys: &'k KeySet) -> Option<&'k ClientJwk> {
        let (message, signature) = &self.signed;
        keys.signer_of(message, signature, self.kid.as_deref(), self.algorithm)
    }
}

/// A part of the JWT: base64url of JSON, within the bounds of all incoming JSON.
fn part<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, AssertionRefusal> {
    let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| AssertionRefusal::Malformed)?;
    json::read(&bytes, INCOMING).map_err(|_| AssertionRefusal::Malformed)
}

/// Whether the `typ` allows a JWT for any purpose, or for this one. A JWT of another `typ`, such as `at+jwt`, was
/// signed for something else.
fn is_typ(typ: &str) -> bool {
    let name = typ.strip_prefix("application/").unwrap_or(typ);
    ["JWT", "client-authentication+jwt"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// A `NumericDate` in milliseconds; values out of range saturate.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn ms(seconds: f64) -> i64 {
    (seconds * 1000.0) as i64
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::{Value, json};

    const NOW: i64 = 1_800_000_000;
    const ISSUER: &str = "https://id.example.com/oidc";

    fn token(header: &Value, claims: &str) -> String {
        let encode = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
        format!("{}.{}.c2ln", encode(&header.to_string()), encode(claims))
    }

    fn good() -> Value {
        json!({ "iss": "c", "sub": "c", "aud": ISSUER, "exp": NOW + 60, "jti": "1" })
    }

    fn verdict(header: &Value, claims: &str) -> Option<AssertionRefusal> {
        let read = Assertion::read(&token(header, claims));
        read.and_then(|assertion| assertion.check_times(NOW * 1000)).err()
    }

    #[test]
    fn the_audience_is_the_issuer_unless_the_application_is_of_before() {
        use ClientAssertionAudience::{Issuer, Legacy};
        let endpoint = format!("{ISSUER}/token/revocation");
        for (audience, strict, legacy) in [
            (json!(ISSUER), true, true),
            (json!([ISSUER]), false, true),
            (json!(endpoint), false, true),
            (json!([endpoint]), false, true),
            (json!([ISSUER, endpoint]), false, true),
            (json!([ISSUER, ISSUER]), false, true),
            (json!([]), false, false),
            (json!([ISSUER, "https://evil.example.com"]), false, false),
            (json!(format!("{ISSUER}/token")), false, false),
            (json!([ISSUER, format!("{ISSUER}/token")]), false, false),
            (json!(format!("{ISSUER}/")), false, false),
            (json!(format!("{endpoint}/")), false, false),
            (json!("https://evil.example.com"), false, false),
            (json!(""), false, false),
        ] {
            let mut claims = good();
            claims["aud"] = audience.clone();
            let assertion = Assertion::read(&token(&json!({ "alg": "ES256" }), &claims.to_string())).unwrap();
            for (setting, fits) in [(Issuer, strict), (Legacy, legacy)] {
                let expected = if fits { Ok(()) } else { Err(AssertionRefusal::Audience) };
                assert_eq!(assertion.check_audience(setting, ISSUER, &endpoint), expected, "{setting:?} {audience}");
            }
        }
        for audience in [json!(7), json!([ISSUER, 7]), json!({ "aud": ISSUER }), Value::Null] {
            let mut claims = good();
            claims["aud"] = audience.clone();
            let refused = Some(AssertionRefusal::Malformed);
            assert_eq!(verdict(&json!({ "alg": "ES256" }), &claims.to_string()), refused, "{audience}");
        }
    }

    #[test]
    fn the_header_names_an_asymmetric_algorithm_and_no_other_purpose() {
        for (header, expected) in [
            (json!({ "alg": "ES256" }), None),
            (json!({ "alg": "PS512", "kid": "k", "typ": "jwt" }), None),
            (json!({ "alg": "ES256", "typ": "client-authentication+jwt" }), None),
            (json!({ "alg": "ES256", "typ": "at+jwt" }), Some(AssertionRefusal::Purpose)),
            (json!({ "alg": "ES256", "crit": ["b64"], "b64": false }), Some(AssertionRefusal::Purpose)),
            (json!({ "alg": "none" }), Some(AssertionRefusal::Algorithm)),
            (json!({ "alg": "HS256" }), Some(AssertionRefusal::Algorithm)),
            (json!({ "alg": "es256" }), Some(AssertionRefusal::Algorithm)),
            (json!({ "alg": 7 }), Some(AssertionRefusal::Malformed)),
            (json!({}), Some(AssertionRefusal::Malformed)),
        ] {
            assert_eq!(verdict(&header, &good().to_string()), expected, "{header}");
        }
    }

    #[test]
    fn every_claim_has_its_bounds() {
        for (name, value, expected) in [
            ("iss", json!("other"), Some(AssertionRefusal::Client)),
            ("jti", json!(""), Some(AssertionRefusal::Malformed)),
            ("jti", json!(7), Some(AssertionRefusal::Malformed)),
            ("jti", Value::Null, Some(AssertionRefusal::Malformed)),
            ("exp", Value::Null, Some(AssertionRefusal::Malformed)),
            ("exp", json!("soon"), Some(AssertionRefusal::Malformed)),
            ("exp", json!(NOW), Some(AssertionRefusal::Time)),
            ("exp", json!(NOW + 300), None),
            ("exp", json!(NOW + 301), Some(AssertionRefusal::Time)),
            ("exp", json!(1e300), Some(AssertionRefusal::Time)),
            ("exp", json!(-1e300), Some(AssertionRefusal::Time)),
            ("exp", json!(0.5 + 1_800_000_000.0), None),
            ("iat", json!(NOW + 30), None),
            ("iat", json!(NOW + 31), Some(AssertionRefusal::Time)),
            ("iat", json!(NOW - 330), None),
            ("iat", json!(NOW - 331), Some(AssertionRefusal::Time)),
            ("iat", json!(1e300), Some(AssertionRefusal::Time)),
            ("nbf", json!(NOW + 30), None),
            ("nbf", json!(NOW + 31), Some(AssertionRefusal::Time)),
        ] {
            let mut claims = good();
            claims[name] = value.clone();
            assert_eq!(verdict(&json!({ "alg": "ES256" }), &claims.to_string()), expected, "{name} {value}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let twice = good().to_string().replace(r#""jti""#, r#""exp":1,"jti""#);
        assert_eq!(
            verdict(&json!({ "alg": "ES256" }), &twice),
            Some(AssertionRefusal::Malformed),
            "a claim that is there twice"
        );
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let whole = token(&json!({ "alg": "ES256" }), &good().to_string());
        let long = token(&json!({ "alg": "ES256", "x": "x".repeat(8192) }), &good().to_string());
        for text in ["", ".", "..", "a.b.c", &token(&json!({ "alg": "ES256" }), &deep), &long, &format!("{whole}.x")] {
            assert_eq!(Assertion::read(text).err(), Some(AssertionRefusal::Malformed), "{text}");
        }
        assert_eq!(Assertion::read(&whole).unwrap().client_id.as_str(), "c");
    }
}
