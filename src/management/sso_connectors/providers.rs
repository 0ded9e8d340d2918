//! `GET /api/sso-connector-providers`.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_domain::upstream::enterprise;
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use serde_json::{Value, json};

/// A provider of enterprise connectors.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "providerName": "OIDC", "providerType": "oidc", "logo": "", "logoDark": "",
    "description": { "en": "Any OpenID provider, by its issuer." }, "name": { "en": "OIDC" }
}))]
pub(super) struct ProviderView {
    provider_name: &'static str,
    /// Always `oidc`: SAML is not supported.
    provider_type: &'static str,
    /// Always empty.
    logo: &'static str,
    /// Always empty.
    logo_dark: &'static str,
    /// By language.
    #[schema(value_type = Object)]
    description: Value,
    /// By language.
    #[schema(value_type = Object)]
    name: Value,
}

/// Lists the providers that enterprise connectors can be of.
#[utoipa::path(
    get, path = "/api/sso-connector-providers", tag = "SSO connectors", summary = "List providers of SSO connectors",
    responses(
        (status = 200, description = "The providers", body = Vec<ProviderView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_sso_connector_providers(_: Management<ConfigsRead>) -> Json<Vec<ProviderView>> {
    let view = |provider: &enterprise::EnterpriseProvider| ProviderView {
        provider_name: provider.name,
        provider_type: "oidc",
        logo: "",
        logo_dark: "",
        description: json!({ "en": provider.description }),
        name: json!({ "en": provider.title }),
    };
    Json(enterprise::ALL.iter().map(view).collect())
}
