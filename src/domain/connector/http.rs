//! `http-email` and `http-sms`: send messages by an HTTP request to the operator's own service.

use super::Factory;
use crate::connector_config::read;
use crate::documents::connector::{ConnectorType, FormItem, FormItemType};
use crate::documents::text::Text;
use serde::Deserialize;
use serde_json::Value;
use url::{Host, Url};

const FORM: &[FormItem] = &[
    FormItem::required("endpoint", FormItemType::Text, "Endpoint"),
    FormItem::optional("authorization", FormItemType::Text, "Authorization header").confidential(),
];
const TEMPLATE: &str = r#"{ "endpoint": "https://messages.example.com/send", "authorization": "Bearer …" }"#;

/// The factory of emails.
pub(super) const EMAIL: Factory = Factory {
    id: "http-email",
    kind: ConnectorType::Email,
    target: "http-email",
    platform: None,
    is_standard: false,
    is_token_storage_supported: false,
    name: "HTTP e-mail",
    description: "Sends e-mails by a request to a service of yours.",
    logo: "",
    form_items: FORM,
    config_template: TEMPLATE,
    secrets: &["/authorization"],
    destination: &["/endpoint"],
    check,
};

/// The factory of text messages.
pub(super) const SMS: Factory = Factory {
    id: "http-sms",
    kind: ConnectorType::Sms,
    target: "http-sms",
    name: "HTTP SMS",
    description: "Sends text messages by a request to a service of yours.",
    ..EMAIL
};

/// The configuration. Without `Debug`: it has a secret.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpConfig {
    /// The URL of requests.
    pub endpoint: Text<1, 2048>,
    /// The `Authorization` header of requests.
    #[serde(default)]
    pub authorization: Option<Text<1, 4096>>,
}

impl HttpConfig {
    /// Parses and validates a configuration; the error names the key path.
    pub fn read(config: &Value) -> Result<Self, String> {
        let read: Self = read(config)?;
        if !keeps_codes_safe(read.endpoint.as_str()) {
            let problem = "expected an https URL; http is for this machine and for private networks";
            return Err(format!("Error in key path \"config.endpoint\": {problem}"));
        }
        let is_header = |text: &Text<1, 4096>| text.as_str().bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !read.authorization.as_ref().is_none_or(is_header) {
            return Err("Error in key path \"config.authorization\": expected printable ASCII".to_owned());
        }
        Ok(read)
    }
}

/// Whether codes may be sent to a URL: over https, or within a private network.
#[must_use]
pub fn keeps_codes_safe(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    if !url.username().is_empty() || url.password().is_some() {
        return false;
    }
    let is_near = || match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unique_local(),
        // Names that do not exist in public DNS.
        Some(Host::Domain(name)) => !name.contains('.') || name.ends_with(".internal") || name.ends_with(".localhost"),
        None => false,
    };
    match url.scheme() {
        "https" => url.host().is_some(),
        "http" => is_near(),
        _ => false,
    }
}

fn check(config: &Value) -> Result<(), String> {
    HttpConfig::read(config).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn codes_are_sent_encrypted_or_within_a_network() {
        for (endpoint, fits) in [
            ("https://messages.example.com/send", true),
            ("http://127.0.0.1:8080/send", true),
            ("http://10.1.2.3/send", true),
            ("http://[::1]/send", true),
            ("http://gateway/send", true),
            ("http://sms.internal/send", true),
            ("http://messages.example.com/send", false),
            ("http://203.0.113.7/send", false),
            ("https://user:secret@messages.example.com/", false),
            ("ftp://messages.example.com/", false),
            ("messages.example.com", false),
        ] {
            assert_eq!(check(&json!({ "endpoint": endpoint })).is_ok(), fits, "{endpoint}");
        }
        assert!(check(&json!({ "endpoint": "https://a.example", "authorization": "a\r\nhost: b" })).is_err());
        assert!(check(&json!({})).is_err() && check(&json!({ "endpoint": 1 })).is_err());
    }
}
