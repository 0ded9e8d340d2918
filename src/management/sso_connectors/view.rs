//! How enterprise connectors are shown. The secret of a configuration is hidden.

use claimsmith_domain::connector::ENTERPRISE;
use claimsmith_domain::connector::configuration::hide;
use claimsmith_domain::upstream::enterprise::EnterpriseProvider;
use claimsmith_services::app::App;
use claimsmith_services::connectors::decrypt_enterprise;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::Document;
use claimsmith_storage::connectors::sso_connectors::SsoConnector;
use serde::Serialize;
use serde_json::Value;

/// An enterprise connector.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e3x9s1t7a5m2q8w4z6y0b", "providerName": "OIDC", "connectorName": "Acme",
    "config": { "issuer": "https://login.acme.example.com", "clientId": "claimsmith", "clientSecret": "********" },
    "domains": ["acme.example.com"], "branding": { "displayName": "Acme" }, "syncProfile": false,
    "enableTokenStorage": false, "signsInAdministrators": false, "createdAt": 1_760_000_000_000_i64,
    "name": { "en": "OIDC" },
    "providerType": "oidc", "providerLogo": "", "providerLogoDark": ""
}))]
pub(super) struct SsoConnectorView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// `OIDC`, `AzureAdOidc`, `GoogleWorkspace` or `Okta`.
    provider_name: String,
    /// Unique whatever its case.
    connector_name: String,
    /// With `********` in the place of the secret.
    #[schema(value_type = Object)]
    config: Value,
    /// The domains of addresses that it owns, in lower case.
    domains: Vec<String>,
    /// Name and logos on the pages.
    #[schema(value_type = Object)]
    branding: Value,
    /// Whether the profile is taken over at each sign-in.
    sync_profile: bool,
    /// Whether tokens of the provider are kept; they never are.
    enable_token_storage: bool,
    /// Whether users who administer this server sign in with the accounts here that they linked themselves.
    signs_in_administrators: bool,
    /// Unix milliseconds.
    created_at: i64,
    /// The provider's name, by language.
    #[schema(value_type = Object)]
    name: Value,
    /// Always `oidc`.
    provider_type: &'static str,
    /// Always empty.
    provider_logo: &'static str,
    /// Always empty.
    provider_logo_dark: &'static str,
    /// What the provider says of itself, when one connector is shown and the provider is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub(super) provider_config: Option<Value>,
}

impl SsoConnectorView {
    /// A configuration that cannot be decrypted is marked, so that the other connectors are still shown.
    pub(super) fn of(app: &App, connector: SsoConnector, domains: Vec<String>) -> Self {
        let config = match decrypt_enterprise(&app.cipher, &connector) {
            Ok(config) => hide(&ENTERPRISE, &config),
            Err(error) => {
                tracing::warn!(%error, connector = connector.id.as_str(), "an enterprise connector cannot be read");
                Value::unreadable(error.to_string())
            }
        };
        let title = EnterpriseProvider::find(&connector.provider_name).map_or("", |provider| provider.title);
        Self {
            tenant_id: TENANT,
            id: connector.id.into(),
            provider_name: connector.provider_name,
            connector_name: connector.connector_name,
            config,
            domains,
            branding: connector.branding.0,
            sync_profile: connector.sync_profile,
            enable_token_storage: connector.enable_token_storage,
            signs_in_administrators: connector.signs_in_administrators,
            created_at: connector.created_at,
            name: serde_json::json!({ "en": title }),
            provider_type: "oidc",
            provider_logo: "",
            provider_logo_dark: "",
            provider_config: None,
        }
    }
}
