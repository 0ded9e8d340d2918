//! Single query parameters, beside those of pages.

use crate::error::ApiError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;

/// The most characters of a value.
const MAX_VALUE_CHARS: usize = 256;

/// The parameters of a query.
pub struct Query(Vec<(String, String)>);

impl Query {
    /// A parameter that is given once or not at all; an empty one counts as not given.
    pub fn one(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let Some(value) = values.next() else { return Ok(None) };
        let problem = if values.next().is_some() {
            "expected it once"
        } else if value.contains('\0') {
            "NUL characters are not accepted"
        } else if value.chars().count() > MAX_VALUE_CHARS {
            "expected at most 256 characters"
        } else {
            return Ok(Some(value).filter(|value| !value.is_empty()));
        };
        Err(ApiError::invalid_input("query", format!("Error in key path \"{name}\": {problem}")))
    }

    /// Whether something is asked for: a parameter that is `true` or `1`, `false` or `0`, or not given.
    pub fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.one(name)? {
            Some("true" | "1") => Ok(true),
            Some("false" | "0") | None => Ok(false),
            Some(_) => {
                let details = format!("Error in key path \"{name}\": expected true or false");
                Err(ApiError::invalid_input("query", details))
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let text = parts.uri.query().unwrap_or_default();
        Ok(Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_given_once_and_short() {
        let query = |pairs: &[(&str, &str)]| {
            Query(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
        };
        assert_eq!(query(&[("q", "a b")]).one("q").ok(), Some(Some("a b")));
        assert_eq!(query(&[("q", "")]).one("q").ok(), Some(None));
        assert_eq!(query(&[]).one("q").ok(), Some(None));
        let long = "a".repeat(MAX_VALUE_CHARS + 1);
        for bad in [&[("q", "a"), ("q", "b")][..], &[("q", "\0")], &[("q", &long)]] {
            assert!(query(bad).one("q").is_err());
        }
        for (value, flag) in [("true", Some(true)), ("1", Some(true)), ("0", Some(false)), ("yes", None)] {
            assert_eq!(query(&[("q", value)]).flag("q").ok(), flag);
        }
    }
}
