//! Host patterns of servers that a plugin may send requests to: a host or all names below one, and a port.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use url::{Host, Url};

/// `api.example.com`, `*.example.com` (every name below it, not itself), `127.0.0.1`, `[::1]`; each may have a `:port`,
/// and without one means the port of the URL's scheme.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct HostPattern {
    below: bool,
    host: Host<String>,
    port: Option<u16>,
}

impl HostPattern {
    /// Whether the URL's host and port are among these.
    #[must_use]
    pub fn matches(&self, url: &Url) -> bool {
        let default = match url.scheme() {
            "http" => 80,
            "https" => 443,
            _ => return false,
        };
        let same_port = url.port_or_known_default() == Some(self.port.unwrap_or(default));
        same_port && url.host().is_some_and(|host| self.covers_host(&host.to_owned()))
    }

    /// What both allow. A pattern with a port and one without have nothing in common: which ports the latter allows
    /// depends on the scheme.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        if self.port != other.port {
            None
        } else if self.covers(other) {
            Some(other.clone())
        } else {
            other.covers(self).then(|| self.clone())
        }
    }

    fn covers(&self, other: &Self) -> bool {
        match (self.below, other.below) {
            (true, true) => self.host == other.host || self.covers_host(&other.host),
            (_, false) => self.covers_host(&other.host),
            (false, true) => false,
        }
    }

    fn covers_host(&self, host: &Host<String>) -> bool {
        match (self.below, &self.host, host) {
            (true, Host::Domain(own), Host::Domain(name)) => {
                name.strip_suffix(own.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            (true, ..) => false,
            (false, own, host) => own == host,
        }
    }
}

impl FromStr for HostPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let no_host = || format!("`{text}` is not a host: write api.example.com, *.example.com or 127.0.0.1:8080");
        let (below, rest) = text.strip_prefix("*.").map_or((false, text), |rest| (true, rest));
        let (host, port) = match rest.rsplit_once(':') {
            // The colons of `[::1]` are the host's own.
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (rest, None),
        };
        let port = port.map(|port| port.parse().ok().filter(|port| *port > 0).ok_or_else(no_host)).transpose()?;
        let host = Some(host).filter(|host| !host.contains('*')).and_then(|host| Host::parse(host).ok());
        let host = host.ok_or_else(no_host)?;
        if below && !matches!(host, Host::Domain(_)) {
            return Err(no_host());
        }
        Ok(Self { below, host, port })
    }
}

impl TryFrom<String> for HostPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<HostPattern> for String {
    fn from(pattern: HostPattern) -> Self {
        pattern.to_string()
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let below = if self.below { "*." } else { "" };
        write!(out, "{below}{}", self.host)?;
        self.port.map_or(Ok(()), |port| write!(out, ":{port}"))
    }
}
