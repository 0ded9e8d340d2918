//! Bodies of `/api/connectors` and `/api/connector-factories`.

use claimsmith_domain::documents::connector::metadata::{ConnectorMetadata, ConnectorTarget};
use claimsmith_domain::documents::connector::{ConnectorType, FormItemType, Platform};
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ConnectorId;
use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A factory.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "http-sms", "type": "Sms", "target": "http-sms", "name": { "en": "HTTP SMS" },
    "description": { "en": "Sends text messages by a request to a service of yours." }, "logo": "", "logoDark": null,
    "readme": "", "configTemplate": "{}", "formItems": [], "platform": null, "isStandard": false,
    "isTokenStorageSupported": false
}))]
pub struct FactoryView {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: ConnectorType,
    /// What identities of users are kept under, unless the connector says so itself.
    pub target: String,
    #[serde(flatten)]
    pub about: AboutFactory,
}

/// What a factory says about itself and its connectors.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AboutFactory {
    /// By language.
    #[schema(value_type = Object)]
    pub name: Value,
    /// By language.
    #[schema(value_type = Object)]
    pub description: Value,
    /// A URL; empty for none.
    pub logo: String,
    /// The same for dark pages.
    pub logo_dark: Option<String>,
    /// Always empty: the documentation is at one place.
    pub readme: String,
    /// A configuration to begin with, JSON.
    pub config_template: String,
    /// The fields of the configuration.
    pub form_items: Vec<FormItem>,
    /// Where it works, if it is social.
    pub platform: Option<Platform>,
    /// Whether a connector has a target, a name and a logo of its own.
    pub is_standard: bool,
    pub is_token_storage_supported: bool,
}

/// A field of a configuration.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormItem {
    /// Its key.
    pub key: String,
    /// How it is entered.
    #[serde(rename = "type")]
    pub kind: FormItemType,
    /// What stands beside it.
    pub label: String,
    /// Whether it must be there.
    pub required: bool,
    /// Whether it is a secret.
    pub is_confidential: bool,
}

/// A connector.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
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
pub struct ConnectorView {
    pub id: ConnectorId,
    /// The factory that it is made by.
    pub connector_id: String,
    /// `Email`, `Sms` or `Social`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: ConnectorType,
    /// What identities of users are kept under.
    pub target: String,
    #[serde(flatten)]
    pub about: Option<AboutFactory>,
    /// With `********` in the place of each secret.
    #[schema(value_type = Object)]
    pub config: Value,
    /// The operator's own name, logo and target.
    #[schema(value_type = Object)]
    pub metadata: Value,
    /// Whether the profile is taken over at each sign-in.
    pub sync_profile: bool,
    /// Whether tokens of the other service are kept.
    pub enable_token_storage: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A new connector.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "connectorId": "http-sms",
    "config": { "endpoint": "https://messages.example.com/send", "authorization": "Bearer 4kTq8ZbW2mXr7NcV1sYd" }
}))]
pub struct CreateConnector {
    /// The factory, such as `smtp`.
    pub connector_id: Text<1, 128>,
    /// What the factory says that it needs.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    pub config: Option<Map<String, Value>>,
    /// Target, name and logo of a standard connector.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = ConnectorMetadata, required = false)]
    pub metadata: Option<ConnectorMetadata>,
    /// Whether a social connector takes the profile over at each sign-in.
    #[serde(default)]
    pub sync_profile: Given<bool>,
    /// Whether tokens of the other service are kept.
    #[serde(default)]
    pub enable_token_storage: Given<bool>,
    /// Its id; a random one when it is not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, pattern = "^[A-Za-z0-9_-]{1,128}$")]
    pub id: Option<ConnectorTarget>,
}

/// What is to change; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "config": { "endpoint": "https://messages.example.com/send", "authorization": "********" }
}))]
pub struct UpdateConnector {
    /// Takes the place of the whole configuration. A secret that is left out or `********` stays, as long as the
    /// destination is the same.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    pub config: Option<Map<String, Value>>,
    /// Name and logo of a standard connector; what is left out of it stays, null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = ConnectorMetadata, required = false)]
    pub metadata: Option<ConnectorMetadata>,
    /// Whether a social connector takes the profile over at each sign-in.
    #[serde(default)]
    pub sync_profile: Given<bool>,
    /// Whether tokens of the other service are kept.
    #[serde(default)]
    pub enable_token_storage: Given<bool>,
}

impl Patch for UpdateConnector {
    const MERGED: &'static Merged = &patch::CONNECTOR;
}

/// What is to be tried.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "phone": "16502530000", "config": { "endpoint": "https://messages.example.com/send" }, "locale": "en"
}))]
pub struct TestConnector {
    /// Who gets the text message.
    #[serde(default)]
    #[schema(value_type = String, required = false, max_length = 32)]
    pub phone: Given<Text<1, 32>>,
    /// Who gets the e-mail.
    #[serde(default)]
    #[schema(value_type = String, required = false, max_length = 128)]
    pub email: Given<Text<1, 128>>,
    /// The configuration. A secret that is left out or `********` is that of the connector of this factory, if the
    /// destination is the same.
    #[schema(value_type = Object)]
    pub config: Map<String, Value>,
    /// The language of the message.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 35)]
    pub locale: Option<LanguageTag>,
}

/// What the back end chose.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "state": "af0ifjsldkj", "redirectUri": "https://app.example.com/linked" }))]
pub struct NewAttempt {
    /// By which it knows the answer.
    pub state: Text<1, 512>,
    /// Where the answer comes to, as it is registered there.
    pub redirect_uri: Text<1, 2048>,
}

/// Where the browser goes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "redirectTo": "https://github.com/login/oauth/authorize?client_id=…&state=af0ifjsldkj" }))]
pub struct Redirect {
    pub redirect_to: String,
}
