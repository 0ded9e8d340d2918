//! URLs of upstreams: https, or http on a loopback address.

use crate::documents::uri_rule::{MAX_URI_BYTES, UriRule};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An https URL without user and fragment, as written; http only on a loopback address.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Endpoint(String);

impl Endpoint {
    /// The URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Endpoint {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // Configurations of earlier versions are read by it, too.
        if text.len() <= MAX_URI_BYTES && UriRule::Private.fault_of_stored(&text).is_none() {
            Ok(Self(text))
        } else {
            Err("expected an https URL without a user and a fragment, of at most 2048 characters")
        }
    }
}

impl From<Endpoint> for String {
    fn from(endpoint: Endpoint) -> Self {
        endpoint.0
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_travel_in_the_clear() {
        for (text, fits) in [
            ("https://id.example.com", true),
            ("https://id.example.com/oidc?tenant=1", true),
            ("http://127.0.0.1:3001/oidc", true),
            ("http://localhost:3001", true),
            ("http://id.example.com", false),
            ("https://ada:secret@id.example.com", false),
            ("https://id.example.com/#x", false),
            ("ftp://id.example.com", false),
            ("/oidc", false),
            ("", false),
        ] {
            assert_eq!(Endpoint::try_from(text.to_owned()).is_ok(), fits, "{text}");
        }
    }
}
