//! Links of pages: URLs, and the email address of the support team.

use crate::documents::uri_rule::{MAX_URI_BYTES, UriRule};
use crate::documents::user::{Email, StoredEmail};
use serde::{Deserialize, Serialize};

/// An http or https URL, or the empty text for none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Link(String);

/// An email address, or the empty text for none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address(String);

impl TryFrom<String> for Link {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // Pages link to it: javascript: URLs and the like would run there.
        if text.is_empty() || text.len() <= MAX_URI_BYTES && UriRule::Page.fault_of_stored(&text).is_none() {
            Ok(Self(text))
        } else {
            Err("expected an http or https URL of at most 2048 characters, or an empty text")
        }
    }
}

impl TryFrom<String> for Address {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // Stored settings of earlier versions are accepted; new values are validated where they are set.
        if text.is_empty() { Ok(Self(text)) } else { StoredEmail::try_from(text).map(|address| Self(address.into())) }
    }
}

impl Address {
    /// Whether it may be set now; earlier versions accepted more.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.0.is_empty() || Email::try_from(self.0.clone()).is_ok()
    }
}

impl From<Link> for String {
    fn from(link: Link) -> Self {
        link.0
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_and_addresses_to_people() {
        for (text, is_link) in [
            ("", true),
            ("https://a.test/terms?x=1#y", true),
            ("http://localhost:3000", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("/terms", false),
            ("https://", false),
            (&format!("https://a.test/{}", "a".repeat(MAX_URI_BYTES)), false),
        ] {
            assert_eq!(Link::try_from(text.to_owned()).is_ok(), is_link, "{text}");
        }
        for (text, is_address) in [("", true), ("help@a.test", true), ("help", false), ("a b@c.d", false)] {
            assert_eq!(Address::try_from(text.to_owned()).is_ok(), is_address, "{text}");
        }
    }
}
