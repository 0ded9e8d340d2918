//! `plugin-email` and `plugin-sms`: messages by whatever provider a plugin knows. Its secrets, and where it may send them,
//! belong to the plugin; the connector names it.

use super::{Factory, read};
use crate::documents::connector::templates::{ConfigTemplate, MAX_TEMPLATES};
use crate::documents::connector::{ConnectorType, FormItem, FormItemType};
use crate::documents::few::Few;
use crate::documents::text::Text;
use serde::Deserialize;
use serde_json::Value;

/// The factory of e-mails.
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

/// Whether connectors of a factory leave it to a plugin what is sent.
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
    /// The operator's own words.
    #[serde(default)]
    pub templates: Few<ConfigTemplate, MAX_TEMPLATES>,
}

impl PluginConfig {
    /// Reads a configuration; what is wrong with it, by key path. Whether there is such a plugin is not known here.
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
