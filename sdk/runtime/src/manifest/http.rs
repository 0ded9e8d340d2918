//! `[capabilities.http]`: the servers, methods and amounts of HTTP requests that a plugin may send. Without it, none.

use super::{cache::CacheCapability, header_template::HeaderTemplate, host::HostPattern};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, ops::Not};
use url::Url;

/// The methods that can be granted.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// The highest value of each key: what all plugins of one token share, and the longest deadline that there is.
const MAX_VALUES: [(&str, u32); 3] = [("calls", 16), ("kib", 1024), ("ms", 60_000)];

/// Headers with secrets that one plugin may declare.
const MAX_HEADERS: usize = 32;

/// Headers that no plugin declares: those of the connection and of the body's transport (RFC 9110 sections 7.2, 7.6 and
/// 8.6), and those that decide how an answer is written, which is searched for the secrets.
const CONNECTION_HEADERS: [&str; 13] = [
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Characters of a URL that are shown.
const MAX_SHOWN_CHARS: usize = 200;

/// What a plugin may need beyond its input. Whatever is not named here is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Capabilities {
    /// Requests to other servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpCapability>,
    /// Values that later calls find.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheCapability>,
}

/// The servers that a plugin may ask over HTTP, and within which bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpCapability {
    /// The servers.
    pub hosts: Vec<HostPattern>,
    /// The methods, in capitals. Default: `GET`.
    #[serde(default = "default_methods")]
    pub methods: Vec<String>,
    /// Requests of one call of the plugin. Default 4.
    #[serde(default = "default_calls")]
    pub calls: u32,
    /// KiB of all requests and answers of one call together. Default 256.
    #[serde(default = "default_kib")]
    pub kib: u32,
    /// Milliseconds that one request may take. Default 500, and never longer than the call itself.
    #[serde(default = "default_ms")]
    pub ms: u32,
    /// Whether requests may be sent over `http`, which anybody on the way can read and change. Default false: `https`
    /// alone.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub plain: bool,
    /// Headers of requests to these hosts that the server fills in with secrets, which the plugin never sees. A part of
    /// the declaration alone, never of a grant.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<HostPattern, BTreeMap<String, HeaderTemplate>>,
}

fn default_methods() -> Vec<String> {
    vec!["GET".to_owned()]
}

const fn default_calls() -> u32 {
    4
}

const fn default_kib() -> u32 {
    256
}

const fn default_ms() -> u32 {
    500
}

impl HttpCapability {
    /// Whether such a request may be sent.
    #[must_use]
    pub fn allows(&self, method: &str, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| self.refusal(method, &url).is_none())
    }

    /// What both this capability and `granted` allow; none if that is nothing.
    #[must_use]
    pub fn intersect(&self, granted: &Self) -> Option<Self> {
        let mut hosts: Vec<HostPattern> = Vec::new();
        for pair in self.hosts.iter().flat_map(|own| granted.hosts.iter().map(move |other| own.intersect(other))) {
            hosts.extend(pair.filter(|pattern| !hosts.contains(pattern)));
        }
        let methods: Vec<_> = self.methods.iter().filter(|method| granted.methods.contains(method)).cloned().collect();
        (!hosts.is_empty() && !methods.is_empty()).then(|| Self {
            hosts,
            methods,
            calls: self.calls.min(granted.calls),
            kib: self.kib.min(granted.kib),
            ms: self.ms.min(granted.ms),
            plain: self.plain && granted.plain,
            // They reach no host that is not granted.
            headers: self.headers.clone(),
        })
    }

    /// What the types cannot say. The error is a key and what is wrong with it.
    pub fn check(&self) -> Result<(), (String, String)> {
        let wrong = |key: &str, message: String| Err((key.to_owned(), message));
        if self.hosts.is_empty() {
            return wrong("hosts", "an empty list grants nothing; leave the section out".to_owned());
        }
        if self.methods.is_empty() {
            return wrong("methods", "an empty list grants nothing; leave the key out for GET".to_owned());
        }
        if let Some(method) = self.methods.iter().find(|method| !METHODS.contains(&method.as_str())) {
            let message = format!("`{method}` is not a method that can be granted; there are {}", METHODS.join(", "));
            return wrong("methods", message);
        }
        for ((key, most), value) in MAX_VALUES.into_iter().zip([self.calls, self.kib, self.ms]) {
            if !(1..=most).contains(&value) {
                return wrong(key, format!("must be from 1 to {most}, not {value}"));
            }
        }
        self.check_headers()
    }

    /// As [`Self::check`], for a grant.
    pub fn check_grant(&self) -> Result<(), (String, String)> {
        if self.headers.is_empty() {
            self.check()
        } else {
            let message = "headers belong to the plugin's settings; a grant is about hosts, methods and amounts";
            Err(("headers".to_owned(), message.to_owned()))
        }
    }

    fn check_headers(&self) -> Result<(), (String, String)> {
        let mut known: Vec<(&HostPattern, String)> = Vec::new();
        for (host, headers) in &self.headers {
            let wrong = |message: String| Err((format!("headers.{host}"), message));
            if !self.hosts.iter().any(|granted| granted.intersect(host).as_ref() == Some(host)) {
                return wrong("requests to it are not declared: name it in `hosts`".to_owned());
            }
            for name in headers.keys() {
                let small = name.to_ascii_lowercase();
                if small.is_empty() || !small.bytes().all(is_token) {
                    return wrong(format!("`{name}` is not the name of a header"));
                }
                if CONNECTION_HEADERS.contains(&small.as_str()) {
                    return wrong(format!("the header `{small}` is the server's own"));
                }
                if let Some((other, _)) =
                    known.iter().find(|(other, name)| *name == small && other.intersect(host).is_some())
                {
                    return wrong(format!(
                        "the header `{small}` is declared twice for one request: `{other}` has it as well"
                    ));
                }
                known.push((host, small));
            }
        }
        if known.len() > MAX_HEADERS {
            return Err(("headers".to_owned(), format!("{} headers; at most {MAX_HEADERS} are accepted", known.len())));
        }
        Ok(())
    }

    /// The names of the secrets in headers, which are no environment variables of the plugin.
    pub(crate) fn header_secrets(&self) -> impl Iterator<Item = &str> {
        self.headers.values().flat_map(BTreeMap::values).flat_map(HeaderTemplate::secrets)
    }

    /// Bytes of all requests and answers of one call together.
    pub(crate) fn bytes(&self) -> usize {
        usize::try_from(self.kib).unwrap_or(usize::MAX).saturating_mul(1 << 10)
    }

    /// Why such a request must not be sent, if it must not.
    pub(crate) fn refusal(&self, method: &str, url: &Url) -> Option<String> {
        if !matches!(url.scheme(), "http" | "https") {
            Some("only http and https URLs can be requested".to_owned())
        } else if !url.username().is_empty() || url.password().is_some() {
            Some("a URL must not name a user: send the header `authorization` instead".to_owned())
        } else if !self.methods.iter().any(|own| own == method) || !self.hosts.iter().any(|host| host.matches(url)) {
            Some(not_granted(method, url))
        } else if url.scheme() == "http" && !self.plain {
            Some(format!(
                "{} is not sent, since http is not encrypted: use https, or `plain = true` in [capabilities.http], and \
                 in the grant of an uploaded plugin",
                shown(method, url)
            ))
        } else {
            None
        }
    }
}

/// RFC 9110 section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// How a request is refused that was not granted.
pub(crate) fn not_granted(method: &str, url: &Url) -> String {
    format!("{} was not granted to this plugin", shown(method, url))
}

/// Method and URL for people: without what follows `?` or names a user, where secrets may stand.
pub(crate) fn shown(method: &str, url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let text = format!("{method} {}://{host}{port}{}", url.scheme(), url.path());
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests;
