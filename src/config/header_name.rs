//! The name of an HTTP header.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The characters of a name beside letters and digits (RFC 9110 section 5.6.2).
const MARKS: &[u8] = b"!#$%&'*+-.^_`|~";

/// A header name, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct HttpHeaderName(String);

impl HttpHeaderName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for HttpHeaderName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_name =
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || MARKS.contains(&byte));
        if is_name { Ok(Self(text.to_ascii_lowercase())) } else { Err(format!("{text:?} is not the name of a header")) }
    }
}

impl TryFrom<String> for HttpHeaderName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<HttpHeaderName> for String {
    fn from(name: HttpHeaderName) -> Self {
        name.0
    }
}

impl fmt::Display for HttpHeaderName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
