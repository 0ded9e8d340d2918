//! `plugin-email` and `plugin-sms`: send messages through a plugin. The connector only names the plugin, which has its
//! own secrets and allowed hosts.

use super::Factory;
use crate::connector_config::read;
use crate::documents::bounded_vec::BoundedVec;
use crate::documents::connector::templates::{ConfigTemplate, MAX_TEMPLATES};
use crate::documents::connector::{ConnectorType, FormItem, FormItemType};
use crate::documents::text::Text;
use serde::Deserialize;
use serde_json::Value;

/// The factory of emails.
pub(super) const EMAIL: Factory = Factory {
    id: "plugin-email",
    kind: ConnectorType::Email,
    target: "plugin-email",
    platform: None,
    is_standard: false,
    is_token_storage_supported: false,
    name: "E-mail by a plugin",
    description: "Sends e-mails by a provider, with the request that a plugin composes.",
    logo: "",
    form_items: &[
        FormItem::required("plugin", FormItemType::Text, "Plugin"),
        FormItem::optional("templates", FormItemType::Json, "Templates"),
    ],
    config_template: r#"{ "plugin": "postmark" }"#,
    secrets: &[],
    destination: &[],
    check,
};

/// The factory of text messages.
pub(super) const SMS: Factory = Factory {
    id: "plugin-sms",
    kind: ConnectorType::Sms,
    target: "plugin-sms",
    name: "SMS by a plugin",
    description: "Sends text messages by a provider, with the request that a plugin composes.",
    config_template: r#"{ "plugin": "twilio" }"#,
    ..EMAIL
};

/// Whether connectors of a factory send through a plugin.
#[must_use]
pub fn is_by_plugin(factory_id: &str) -> bool {
    [EMAIL.id, SMS.id].contains(&factory_id)
}

/// The configuration.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginConfig {
    /// The plugin's name.
    pub plugin: Text<1, 64>,
    /// The operator's own templates.
    #[serde(default)]
    pub templates: BoundedVec<ConfigTemplate, MAX_TEMPLATES>,
}

impl PluginConfig {
    /// Parses and validates a configuration; the error names the key path. Does not check that the plugin exists.
    pub fn read(config: &Value) -> Result<Self, String> {
        let read: Self = read(config)?;
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
        if read.plugin.as_str().bytes().all(is_word) {
            Ok(read)
        } else {
            Err("Error in key path \"config.plugin\": expected small letters, digits, - and _".to_owned())
        }
    }
}

fn check(config: &Value) -> Result<(), String> {
    PluginConfig::read(config).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_connector_names_its_plugin() {
        for (config, fits) in [
            (json!({ "plugin": "twilio" }), true),
            (json!({ "plugin": "my-provider_2", "templates": [] }), true),
            (json!({ "plugin": "x", "templates": [{ "usageType": "SignIn", "content": "{{code}}" }] }), true),
            (json!({ "plugin": "x", "templates": [{ "usageType": "Pigeon", "content": "{{code}}" }] }), false),
            (json!({ "plugin": "../twilio" }), false),
            (json!({ "plugin": "Twilio" }), false),
            (json!({ "plugin": "" }), false),
            (json!({ "plugin": 1 }), false),
            (json!({}), false),
        ] {
            assert_eq!(check(&config).is_ok(), fits, "{config}");
        }
    }
}
