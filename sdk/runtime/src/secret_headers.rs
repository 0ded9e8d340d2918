//! Headers that the host fills in with secrets, so that the guest never sees them: over https alone, to the servers that
//! the plugin was granted. What a server sends back of a value is masked before the guest sees it.

use crate::{CallError, HttpCapability, HttpResponse, MessageRequest, Secrets, manifest::HostPattern};
use std::{collections::BTreeSet, fmt};
use url::Url;

/// A header that the host adds to a request.
#[derive(Clone)]
pub struct FilledHeader {
    /// Its name, in small letters.
    pub name: String,
    /// Its value with the names of the secrets, such as `Bearer {secret:API_KEY}`: what may be shown and kept.
    pub reference: String,
    value: String,
}

/// The headers of one version of a plugin, with the values of its secrets.
pub struct SecretHeaders {
    headers: Vec<(HostPattern, Header)>,
    /// Those that stand in headers.
    secrets: Secrets,
}

struct Header {
    name: String,
    /// The error is for the plugin's author.
    filled: Result<FilledHeader, String>,
}

impl FilledHeader {
    /// The value with the secrets. It is for the connection alone.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// Without the value.
impl fmt::Debug for FilledHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilledHeader")
            .field("name", &self.name)
            .field("reference", &self.reference)
            .finish_non_exhaustive()
    }
}

/// Without values.
impl fmt::Debug for SecretHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.headers.iter().map(|(host, header)| (host.to_string(), &header.name))).finish()
    }
}

impl SecretHeaders {
    /// Those that a capability declares; none if it declares none. A secret without a value is an error of the request
    /// that needs it.
    #[must_use]
    pub fn of(capability: &HttpCapability, secrets: &Secrets) -> Option<Self> {
        if capability.headers.is_empty() {
            return None;
        }
        let value = |name: &str| secrets.pairs().iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
        let mut headers = Vec::new();
        for (host, templates) in &capability.headers {
            for (name, template) in templates {
                let small = name.to_ascii_lowercase();
                let filled = match template.fill(value) {
                    Ok(text) if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) => {
                        Ok(FilledHeader { name: small.clone(), reference: template.to_string(), value: text })
                    }
                    Ok(_) => Err(format!("the value of the header `{name}` is not printable ASCII with its secret")),
                    Err(secret) => Err(format!("the secret `{secret}` of the header `{name}` is not set")),
                };
                headers.push((host.clone(), Header { name: small, filled }));
            }
        }
        let named: BTreeSet<&str> = capability.header_secrets().collect();
        let pairs = secrets.pairs().iter().filter(|(name, _)| named.contains(name.as_str())).cloned().collect();
        Some(Self { headers, secrets: Secrets::from_pairs(pairs) })
    }

    /// The headers for a request to `url` that was granted, in which the guest set the headers `given`. The error is for
    /// the plugin's author.
    pub(crate) fn fill(&self, url: &Url, given: &[(String, String)]) -> Result<Vec<FilledHeader>, String> {
        let mut filled = Vec::new();
        for (_, header) in self.headers.iter().filter(|(host, _)| host.matches(url)) {
            let Header { name, filled: own } = header;
            if url.scheme() != "https" {
                return Err(format!("the header `{name}` is filled in by the server, and sent over https only"));
            }
            if given.iter().any(|(sent, _)| sent.eq_ignore_ascii_case(name)) {
                return Err(format!("the header `{name}` is filled in by the server: leave it out of the request"));
            }
            filled.push(own.clone()?);
        }
        // A part of an answer may have a part of a value, which nobody would find.
        if !filled.is_empty() && given.iter().any(|(name, _)| name.eq_ignore_ascii_case("range")) {
            return Err("a request whose headers are filled in by the server cannot ask for a range".to_owned());
        }
        Ok(filled)
    }

    /// Adds the headers to the request of a message plugin.
    pub fn fill_message(&self, mut request: MessageRequest) -> Result<MessageRequest, CallError> {
        let url = Url::parse(&request.url)
            .map_err(|error| CallError::BadOutput(format!("the URL cannot be read: {error}")))?;
        let filled = self.fill(&url, &request.headers).map_err(CallError::BadOutput)?;
        request.headers.extend(filled.into_iter().map(|header| (header.name, header.value)));
        Ok(request)
    }

    /// The answer without the values, masked or not before. One that cannot be searched is an error.
    pub fn mask(&self, response: HttpResponse) -> Result<HttpResponse, String> {
        let HttpResponse { status, headers, body } = response;
        let is_encoded = |(name, value): &(String, String)| {
            name == "content-encoding" && !value.is_empty() && !value.eq_ignore_ascii_case("identity")
        };
        if headers.iter().any(is_encoded) {
            return Err("the answer is compressed, and cannot be searched for the secret in the request".to_owned());
        }
        let mask = |text: String| self.secrets.mask_response(text.into_bytes());
        let mut masked = Vec::with_capacity(headers.len());
        for (name, value) in headers {
            // Masking leaves a text a text.
            masked.push((name, String::from_utf8_lossy(&mask(value)?).into_owned()));
        }
        Ok(HttpResponse { status, headers: masked, body: self.secrets.mask_response(body)? })
    }
}
