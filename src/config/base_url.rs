//! The public base URL of the server. It is configured, never taken from a request or a bound port.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// An absolute http or https URL without user, query, fragment and trailing slash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BaseUrl {
    text: String,
    loopback: bool,
}

impl BaseUrl {
    /// The URL, such as `https://id.example.com`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The issuer of every token: the URL plus `/oidc`.
    #[must_use]
    pub fn issuer(&self) -> String {
        format!("{}/oidc", self.text)
    }

    /// Whether the host is a loopback address, `localhost` or a name below it.
    #[must_use]
    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl Default for BaseUrl {
    fn default() -> Self {
        Self { text: "http://localhost:3001".to_owned(), loopback: true }
    }
}

impl FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("its scheme is neither http nor https".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it contains a user name or a password".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("it has a query or a fragment".to_owned());
        }
        let loopback = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
            None => return Err("it has no host".to_owned()),
        };
        Ok(Self { text: url.as_str().trim_end_matches('/').to_owned(), loopback })
    }
}

impl TryFrom<String> for BaseUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<BaseUrl> for String {
    fn from(url: BaseUrl) -> Self {
        url.text
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}
