//! How connectors and their factories are shown. Secrets of a configuration are hidden.

use claimsmith_domain::connector::configuration::hide;
use claimsmith_domain::connector::{Factory, factory};
use claimsmith_domain::documents::connector::{ConnectorType, FormItem, Platform};
use claimsmith_services::connectors;
use claimsmith_storage::Document;
use claimsmith_storage::connectors::Connector;
use claimsmith_web::extract::management::Caller;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A factory.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "http-sms", "type": "Sms", "target": "http-sms", "name": { "en": "HTTP SMS" },
    "description": { "en": "Sends text messages by a request to a service of yours." }, "logo": "", "logoDark": null,
    "readme": "", "configTemplate": "{}", "formItems": [], "platform": null, "isStandard": false,
    "isTokenStorageSupported": false
}))]
pub(super) struct FactoryView {
    id: &'static str,
    #[serde(rename = "type")]
    kind: ConnectorType,
    /// What identities of users are kept under, unless the connector says so itself.
    target: &'static str,
    #[serde(flatten)]
    about: AboutFactory,
}

/// What a factory says about itself and its connectors.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AboutFactory {
    /// By language.
    #[schema(value_type = Object)]
    name: Value,
    /// By language.
    #[schema(value_type = Object)]
    description: Value,
    /// A URL; empty for none.
    logo: String,
    /// The same for dark pages.
    logo_dark: Option<String>,
    /// Always empty: the documentation is at one place.
    readme: &'static str,
    /// A configuration to begin with, JSON.
    config_template: &'static str,
    /// The fields of the configuration.
    #[schema(value_type = Vec<FormItem>)]
    form_items: &'static [FormItem],
    /// Where it works, if it is social.
    platform: Option<Platform>,
    /// Whether a connector has a target, a name and a logo of its own.
    is_standard: bool,
    is_token_storage_supported: bool,
}

/// A connector.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "c4z1s8w5a2q7x0e9d6r3t", "connectorId": "http-sms", "type": "Sms", "target": "http-sms",
    "name": { "en": "HTTP SMS" },
    "description": { "en": "Sends text messages by a request to a service of yours." }, "logo": "", "logoDark": null,
    "readme": "", "configTemplate": "{}", "formItems": [], "platform": null, "isStandard": false,
    "isTokenStorageSupported": false,
    "config": { "endpoint": "https://messages.example.com/send", "authorization": "********" },
    "metadata": {}, "syncProfile": false, "enableTokenStorage": false, "createdAt": 1_760_000_000_000_i64
}))]
pub(super) struct ConnectorView {
    id: String,
    /// The factory that it is made by.
    connector_id: String,
    /// `Email`, `Sms` or `Social`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: ConnectorType,
    /// What identities of users are kept under.
    target: String,
    #[serde(flatten)]
    about: Option<AboutFactory>,
    /// With `********` in the place of each secret.
    #[schema(value_type = Object)]
    config: Value,
    /// The operator's own name, logo and target.
    #[schema(value_type = Object)]
    metadata: Value,
    /// Whether the profile is taken over at each sign-in.
    sync_profile: bool,
    /// Whether tokens of the other service are kept.
    enable_token_storage: bool,
    /// Unix milliseconds.
    created_at: i64,
}

impl From<&'static Factory> for FactoryView {
    fn from(factory: &'static Factory) -> Self {
        Self {
            id: factory.id,
            kind: factory.kind,
            target: factory.target,
            about: AboutFactory::of(factory, &Value::Null),
        }
    }
}

impl AboutFactory {
    /// Values in the operator's `metadata` replace those of the factory.
    fn of(factory: &'static Factory, metadata: &Value) -> Self {
        let text = |name: &str| metadata.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut name = Map::from_iter([("en".to_owned(), Value::from(factory.name))]);
        if let Some(Value::Object(own)) = metadata.get("name") {
            name.extend(own.clone());
        }
        Self {
            name: Value::Object(name),
            description: json!({ "en": factory.description }),
            logo: text("logo").unwrap_or_else(|| factory.logo.to_owned()),
            logo_dark: text("logoDark"),
            readme: "",
            config_template: factory.config_template,
            form_items: factory.form_items,
            platform: factory.platform,
            is_standard: factory.is_standard,
            is_token_storage_supported: factory.is_token_storage_supported,
        }
    }
}

impl ConnectorView {
    /// A configuration that cannot be decrypted is marked, so that the other connectors are still shown.
    pub(super) fn of(management: &Caller, connector: Connector) -> Self {
        let factory = factory(&connector.connector_id);
        let config = match (connectors::decrypt(&management.app.cipher, &connector), factory) {
            (Ok(config), Some(factory)) => hide(factory, &config),
            (Ok(_), None) => Value::unreadable("there is no such factory in this version of the server".to_owned()),
            (Err(error), _) => {
                tracing::warn!(%error, connector = connector.id.as_str(), "a connector cannot be read");
                Value::unreadable(error.to_string())
            }
        };
        Self {
            about: factory.map(|factory| AboutFactory::of(factory, &connector.metadata)),
            id: connector.id.into(),
            connector_id: connector.connector_id,
            kind: connector.kind,
            target: connector.target,
            config,
            metadata: connector.metadata.0,
            sync_profile: connector.sync_profile,
            enable_token_storage: connector.enable_token_storage,
            created_at: connector.created_at,
        }
    }
}
