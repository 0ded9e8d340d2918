//! `POST /api/sso-connectors`.

use super::refused;
use super::settings::{SsoBranding, encrypted, tried};
use super::view::SsoConnectorView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::company_domain;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::management::Everything;
use claimsmith_domain::upstream::enterprise::EnterpriseProvider;
use claimsmith_json::present;
use claimsmith_storage::connectors::sso_connectors::{self, DOMAINS, SsoConnector};
use claimsmith_storage::{self as storage, Json as Stored};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A new enterprise connector.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "providerName": "OIDC", "connectorName": "Acme", "domains": ["acme.example.com"] }))]
pub(super) struct CreateSsoConnector {
    /// One of `/api/sso-connector-providers`.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    provider_name: Text<1, 128>,
    /// Unique whatever its case.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    connector_name: Text<1, 128>,
    /// `issuer`, or `tenantId` of `AzureAdOidc`; `clientId`, `clientSecret`, `scope`, `trustUnverifiedEmail`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    config: Option<Map<String, Value>>,
    /// The domains of addresses that it owns.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    domains: Option<Vec<String>>,
    /// Name and logos on the pages.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SsoBranding, required = false)]
    branding: Option<SsoBranding>,
    /// Whether the profile is taken over at each sign-in.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    sync_profile: Option<bool>,
    /// Tokens of the provider are not kept: only `false` is accepted.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enable_token_storage: Option<bool>,
    /// Whether users who administer this server may sign in with accounts here that they linked themselves; `false`
    /// when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    signs_in_administrators: Option<bool>,
}

/// Creates an enterprise connector. Its provider is asked whether it is there.
#[utoipa::path(
    post, path = "/api/sso-connectors", tag = "SSO connectors", summary = "Create an SSO connector",
    request_body = CreateSsoConnector,
    responses(
        (status = 200, description = "The connector", body = SsoConnectorView),
        BodyRefused, AccessRefused,
        (status = 409, description = "Another connector has the name", body = ApiErrorBody),
        (status = 422, description = "No such provider, or a domain that no connector can own", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_sso_connector(
    management: Management<Everything>,
    JsonBody(body): JsonBody<CreateSsoConnector>,
) -> Result<Json<SsoConnectorView>, ApiError> {
    let provider = EnterpriseProvider::find(body.provider_name.as_str());
    let provider = provider.ok_or_else(|| refused::unknown_provider(body.provider_name.as_str()))?;
    if body.enable_token_storage == Some(true) {
        return Err(refused::invalid_config("enableTokenStorage: tokens of the provider are not kept"));
    }
    let domains = company_domain::read(body.domains.unwrap_or_default()).map_err(refused::domains)?;
    let config = tried(&management.app, provider.name, body.config.unwrap_or_default(), None).await?;
    let id = SsoConnectorId::from(management.app.random.id(21)?);
    let connector = SsoConnector {
        config: encrypted(&management.app, &id, &config)?,
        id,
        provider_name: provider.name.to_owned(),
        connector_name: body.connector_name.into(),
        branding: Stored(serde_json::to_value(body.branding.unwrap_or_default())?),
        sync_profile: body.sync_profile.unwrap_or_default(),
        enable_token_storage: false,
        signs_in_administrators: body.signs_in_administrators.unwrap_or_default(),
        created_at: management.now(),
    };
    let mut tx = management.begin().await?;
    match sso_connectors::insert(&mut tx, &connector).await {
        Err(storage::Error::Conflict) => return Err(refused::name_taken()),
        written => written?,
    }
    DOMAINS.replace(&mut tx, &connector.id, &domains).await?;
    let details = json!({
        "ssoConnectorId": connector.id, "providerName": provider.name, "domains": domains,
        "signsInAdministrators": connector.signs_in_administrators,
    });
    tx.audit(AuditKey::ManagementSsoConnectorCreate, details).await?;
    tx.commit().await?;
    Ok(Json(SsoConnectorView::of(&management.app, connector, domains)))
}
