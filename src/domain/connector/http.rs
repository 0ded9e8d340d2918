//! `http-email` and `http-sms`: send messages by an HTTP request to the operator's own service.

use super::Factory;
use crate::connector_config::read;
use crate::documents::connector::{ConnectorType, FormItem, FormItemType};
use crate::documents::text::Text;
use crate::documents::uri_rule::UriRule;
use serde::Deserialize;
use serde_json::Value;

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
        // By the rule for stored values: what an earlier version accepted is still read.
        if let Some(fault) = UriRule::Messages.fault_of_stored(read.endpoint.as_str()) {
            return Err(format!("Error in key path \"config.endpoint\": {}", fault.text()));
        }
        let is_header = |text: &Text<1, 4096>| text.as_str().bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !read.authorization.as_ref().is_none_or(is_header) {
            return Err("Error in key path \"config.authorization\": expected printable ASCII".to_owned());
        }
        Ok(read)
    }
}

fn check(config: &Value) -> Result<(), String> {
    let read = HttpConfig::read(config)?;
    match UriRule::Messages.fault(read.endpoint.as_str()) {
        Some(fault) => Err(format!("Error in key path \"config.endpoint\": {}", fault.text())),
        None => Ok(()),
    }
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
            ("https://messages.example.com/a b", false),
        ] {
            assert_eq!(check(&json!({ "endpoint": endpoint })).is_ok(), fits, "{endpoint}");
        }
        assert!(check(&json!({ "endpoint": "https://a.example", "authorization": "a\r\nhost: b" })).is_err());
        assert!(check(&json!({})).is_err() && check(&json!({ "endpoint": 1 })).is_err());
    }
}
