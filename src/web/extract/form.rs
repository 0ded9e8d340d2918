//! The parameters of an OIDC request: a form, or a flat JSON object as the reference accepts it, with whole numbers and
//! booleans as texts. Each name once.

use crate::error::OAuthError;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use claimsmith_identity::grants::RequestParameters;
use claimsmith_runtime::json::{self, INCOMING};
use encoding_rs::{Encoding, UTF_8};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::ops::Deref;

/// The most bytes of a request body at an OIDC endpoint.
const MAX_BODY_BYTES: usize = 56 * 1024;

/// The most parameters of a request, empty ones and repeated ones too.
const MAX_PARAMETERS: usize = 100;

/// The media type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// Whether the body of a request is a form by its content type.
#[must_use]
pub fn is_form(headers: &HeaderMap) -> bool {
    content_type(headers).1 == FORM
}

/// The content type of a request, and its essence: type and subtype.
fn content_type(headers: &HeaderMap) -> (&str, String) {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    (content_type, content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// The parameters of a request, as they were sent.
#[derive(Default)]
pub struct Form(RequestParameters);

impl Deref for Form {
    type Target = RequestParameters;

    fn deref(&self) -> &RequestParameters {
        &self.0
    }
}

impl Form {
    /// Reads the body of a token, introspection or revocation request.
    pub async fn read(headers: &HeaderMap, body: Body) -> Result<Self, OAuthError> {
        let (content_type, essence) = content_type(headers);
        let is_ascii = charset(content_type).map(must_be_ascii).transpose()?.unwrap_or(false);
        let bytes = axum::body::to_bytes(body, MAX_BODY_BYTES).await.map_err(|_| OAuthError::too_large())?;
        let pairs = match essence.as_str() {
            FORM => decode_form(&bytes)?,
            "application/json" => {
                json::read::<Pairs>(&bytes, INCOMING)
                    .map_err(|_| OAuthError::invalid_request("the request body must be a JSON object of strings"))?
                    .0
            }
            _ => {
                let description = "only application/x-www-form-urlencoded content-type bodies are supported";
                return Err(OAuthError::invalid_request(description));
            }
        };
        let fits = |(name, value): &(String, String)| name.is_ascii() && value.is_ascii();
        if is_ascii && !(bytes.is_ascii() && (essence != FORM || pairs.iter().all(fits))) {
            let description = "a request body that is not ASCII must be utf-8, and its charset must say so";
            return Err(OAuthError::invalid_request(description));
        }
        Self::checked(pairs)
    }

    /// Reads the query of an authorization request.
    pub fn of_query(query: &str) -> Result<Self, OAuthError> {
        Self::checked(decode_form(query.as_bytes())?)
    }

    /// Parameters that were read before.
    #[must_use]
    pub fn of_pairs(pairs: Vec<(String, String)>) -> Self {
        Self(RequestParameters::of_pairs(pairs))
    }

    /// The parameters, in the order sent.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.0.into_pairs()
    }

    fn checked(pairs: Vec<(String, String)>) -> Result<Self, OAuthError> {
        if pairs.len() > MAX_PARAMETERS {
            return Err(OAuthError::invalid_request(format!("a request has at most {MAX_PARAMETERS} parameters")));
        }
        if pairs.iter().any(|(name, value)| name.contains('\0') || value.contains('\0')) {
            return Err(OAuthError::invalid_request("null bytes are not allowed in the request body"));
        }
        Ok(Self::of_pairs(pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()))
    }
}

/// The charset that a content type names, if it does.
fn charset(content_type: &str) -> Option<&str> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut named = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    named.next().map(|(_, value)| value.trim().trim_matches('"'))
}

/// Whether a body with this charset has to be ASCII: the charset is a superset of ASCII, but not UTF-8. A charset in
/// which ASCII has other bytes is refused.
fn must_be_ascii(charset: &str) -> Result<bool, OAuthError> {
    match Encoding::for_label(charset.as_bytes()) {
        Some(encoding) if encoding.is_ascii_compatible() => Ok(encoding != UTF_8),
        _ => Err(OAuthError::invalid_request("the charset of the request body must be utf-8 or include ASCII")),
    }
}

/// Percent-decodes strictly: bytes that are not UTF-8 are refused, not replaced.
fn decode_form(bytes: &[u8]) -> Result<Vec<(String, String)>, OAuthError> {
    let malformed = || OAuthError::invalid_request("the request body is not a form of UTF-8 text");
    let text = std::str::from_utf8(bytes).map_err(|_| malformed())?;
    text.split('&')
        .filter(|pair| !pair.is_empty())
        // Reads one more than is accepted, to detect that there are too many.
        .take(MAX_PARAMETERS + 1)
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(name).ok_or_else(malformed)?, decode(value).ok_or_else(malformed)?))
        })
        .collect()
}

/// One `application/x-www-form-urlencoded` text.
pub(super) fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// A value of such an object, as a form has it.
struct Text(String);

impl<'de> serde::Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = Text;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string, a whole number or a boolean")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

/// A JSON object of strings that keeps repeated names, which `serde_json`'s map would silently merge.
struct Pairs(Vec<(String, String)>);

impl<'de> serde::Deserialize<'de> for Pairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some((name, Text(value))) = map.next_entry()? {
                    pairs.push((name, value));
                    if pairs.len() > MAX_PARAMETERS {
                        // The remaining pairs are skipped; too many of them are refused by the caller.
                        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                    }
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
