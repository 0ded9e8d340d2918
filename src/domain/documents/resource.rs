//! API resources: their indicators, and the lifetime of their tokens.

use super::schema;
use super::uri_rule::{MAX_URI_BYTES, UriRule};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Maximum lifetime of a resource's tokens, in seconds: a year.
const MAX_TTL_SECONDS: u32 = 31_536_000;

/// A reserved prefix, which no resource indicator may have.
const RESERVED: &str = "urn:logto:";

/// A resource indicator: an absolute URI without a fragment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Indicator(String);

impl TryFrom<String> for Indicator {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // A resource with a reserved name would share its tokens with the audience of an organization.
        let is_reserved = text.get(..RESERVED.len()).is_some_and(|start| start.eq_ignore_ascii_case(RESERVED));
        if !is_reserved && UriRule::Indicator.fault(&text).is_none() {
            Ok(Self(text))
        } else {
            Err("expected an absolute URI without fragment of at most 2048 characters, not urn:logto:…")
        }
    }
}

/// The same indicator with, or without, the slash after its host: a URI with an empty path equals one with the path `/`
/// (RFC 3986 section 6.2.3). `None` for a URI with another path, or without a host.
#[must_use]
pub fn slash_variant(indicator: &str) -> Option<String> {
    let (scheme, rest) = indicator.split_once("://")?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if !is_scheme || host.is_empty() {
        return None;
    }
    match path.strip_prefix('/') {
        None => Some(format!("{scheme}://{host}/{path}")),
        Some(query) if query.is_empty() || query.starts_with('?') => Some(format!("{scheme}://{host}{query}")),
        Some(_) => None,
    }
}

impl From<Indicator> for String {
    fn from(indicator: Indicator) -> Self {
        indicator.0
    }
}

impl PartialSchema for Indicator {
    fn schema() -> RefOr<Schema> {
        schema::text(0, Some(MAX_URI_BYTES))
    }
}

impl ToSchema for Indicator {
    fn name() -> Cow<'static, str> {
        schema::inline("Indicator")
    }
}

/// The lifetime of a resource's access tokens, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct AccessTokenTtl(u32);

impl TryFrom<u32> for AccessTokenTtl {
    type Error = String;

    fn try_from(seconds: u32) -> Result<Self, String> {
        if (1..=MAX_TTL_SECONDS).contains(&seconds) {
            Ok(Self(seconds))
        } else {
            Err(format!("expected 1 to {MAX_TTL_SECONDS} seconds"))
        }
    }
}

impl From<AccessTokenTtl> for u32 {
    fn from(ttl: AccessTokenTtl) -> Self {
        ttl.0
    }
}

impl From<AccessTokenTtl> for i64 {
    fn from(ttl: AccessTokenTtl) -> Self {
        ttl.0.into()
    }
}

impl PartialSchema for AccessTokenTtl {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(MAX_TTL_SECONDS))
            .into()
    }
}

impl ToSchema for AccessTokenTtl {
    fn name() -> Cow<'static, str> {
        schema::inline("AccessTokenTtl")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_path_equals_a_slash() {
        for (with, without) in [
            ("https://api.example.com/", "https://api.example.com"),
            ("https://api.example.com:8443/?tenant=a/b", "https://api.example.com:8443?tenant=a/b"),
            ("api://0000-1111/", "api://0000-1111"),
            ("com.example.app://host/", "com.example.app://host"),
        ] {
            assert_eq!(slash_variant(with).as_deref(), Some(without));
            assert_eq!(slash_variant(without).as_deref(), Some(with));
        }
        for other in [
            "https://api.example.com/v1",
            "https://api.example.com//",
            "https:///",
            "urn:a:http://b",
            "urn:a:b",
            "a",
            "",
        ] {
            assert_eq!(slash_variant(other), None, "{other}");
        }
    }
}
