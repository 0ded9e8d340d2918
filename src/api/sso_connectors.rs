//! Bodies of `/api/sso-connectors` and `/api/sso-connector-providers`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::connector::metadata::ConnectorTarget;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// An enterprise connector.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e3x9s1t7a5m2q8w4z6y0b", "providerName": "OIDC", "connectorName": "Acme",
    "config": { "issuer": "https://login.acme.example.com", "clientId": "claimsmith", "clientSecret": "********" },
    "domains": ["acme.example.com"], "branding": { "displayName": "Acme" }, "syncProfile": false,
    "enableTokenStorage": false, "signsInAdministrators": false, "createdAt": 1_760_000_000_000_i64,
    "name": { "en": "OIDC" },
    "providerType": "oidc", "providerLogo": "", "providerLogoDark": ""
}))]
pub struct SsoConnectorView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: SsoConnectorId,
    /// `OIDC`, `AzureAdOidc`, `GoogleWorkspace` or `Okta`.
    pub provider_name: String,
    /// Unique whatever its case.
    pub connector_name: String,
    /// With `********` in the place of the secret.
    #[schema(value_type = Object)]
    pub config: Value,
    /// The domains of addresses that it owns, in lower case.
    pub domains: Vec<String>,
    /// Name and logos on the pages.
    #[schema(value_type = Object)]
    pub branding: Value,
    /// Whether the profile is taken over at each sign-in.
    pub sync_profile: bool,
    /// Whether tokens of the provider are kept; they never are.
    pub enable_token_storage: bool,
    /// Whether users who administer this server sign in with the accounts here that they linked themselves.
    pub signs_in_administrators: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The provider's name, by language.
    #[schema(value_type = Object)]
    pub name: Value,
    /// Always `oidc`.
    pub provider_type: String,
    /// Always empty.
    pub provider_logo: String,
    /// Always empty.
    pub provider_logo_dark: String,
    /// What the provider says of itself, when one connector is shown and the provider is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub provider_config: Option<Value>,
}

/// Name and logos of a connector on the pages.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SsoBranding {
    /// What people know the company as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    pub display_name: Option<Text<1, 128>>,
    /// The URL of its logo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub logo: Option<Text<0, 2048>>,
    /// The same for dark pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    pub dark_logo: Option<Text<0, 2048>>,
}

/// A new enterprise connector.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "providerName": "OIDC", "connectorName": "Acme", "domains": ["acme.example.com"] }))]
pub struct CreateSsoConnector {
    /// One of `/api/sso-connector-providers`.
    pub provider_name: Text<1, 128>,
    /// Unique whatever its case.
    pub connector_name: Text<1, 128>,
    /// `issuer`, or `tenantId` of `AzureAdOidc`; `clientId`, `clientSecret`, `scope`, `trustUnverifiedEmail`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    pub config: Option<Map<String, Value>>,
    /// The domains of addresses that it owns.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    pub domains: Option<Vec<String>>,
    /// Name and logos on the pages.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SsoBranding, required = false)]
    pub branding: Option<SsoBranding>,
    /// Whether the profile is taken over at each sign-in.
    #[serde(default)]
    pub sync_profile: Given<bool>,
    /// Tokens of the provider are not kept: only `false` is accepted.
    #[serde(default)]
    pub enable_token_storage: Given<bool>,
    /// Whether users who administer this server may sign in with accounts here that they linked themselves; `false`
    /// when not given.
    #[serde(default)]
    pub signs_in_administrators: Given<bool>,
    /// Its id, in which its redirect URI ends; a random one when it is not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, pattern = "^[A-Za-z0-9_-]{1,128}$")]
    pub id: Option<ConnectorTarget>,
}

/// What is to change; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "domains": ["acme.example.com", "acme.example.org"] }))]
pub struct UpdateSsoConnector {
    /// Unique whatever its case.
    #[serde(default)]
    pub connector_name: Given<Text<1, 128>>,
    /// Takes the place of the whole configuration. A secret that is left out or `********` stays, as long as the issuer
    /// is the same.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    pub config: Option<Map<String, Value>>,
    /// All the domains of addresses that it owns.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    pub domains: Option<Vec<String>>,
    /// Name and logos on the pages; what is left out of it stays, null takes a member away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SsoBranding, required = false)]
    pub branding: Option<Map<String, Value>>,
    /// Whether the profile is taken over at each sign-in.
    #[serde(default)]
    pub sync_profile: Given<bool>,
    /// Whether users who administer this server may sign in with accounts here that they linked themselves.
    #[serde(default)]
    pub signs_in_administrators: Given<bool>,
}

/// A provider of enterprise connectors.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "providerName": "OIDC", "providerType": "oidc", "logo": "", "logoDark": "",
    "description": { "en": "Any OpenID provider, by its issuer." }, "name": { "en": "OIDC" }
}))]
pub struct ProviderView {
    pub provider_name: String,
    /// Always `oidc`: SAML is not supported.
    pub provider_type: String,
    /// Always empty.
    pub logo: String,
    /// Always empty.
    pub logo_dark: String,
    /// By language.
    #[schema(value_type = Object)]
    pub description: Value,
    /// By language.
    #[schema(value_type = Object)]
    pub name: Value,
}
