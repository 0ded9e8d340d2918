//! `PATCH /api/sso-connectors/{id}`.

use super::refused;
use super::settings::{SsoBranding, encrypted, tried};
use super::view::SsoConnectorView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::company_domain;
use claimsmith_domain::documents::patch::{self as patches, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::management::Everything;
use claimsmith_json::present;
use claimsmith_services::connectors::decrypt_enterprise;
use claimsmith_storage::connectors::sso_connectors::{self, DOMAINS};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Json as Stored};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "domains": ["acme.example.com", "acme.example.org"] }))]
pub(super) struct UpdateSsoConnector {
    /// Unique whatever its case.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    connector_name: Option<Text<1, 128>>,
    /// Takes the place of the whole configuration. A secret that is left out or `********` stays, as long as the issuer
    /// is the same.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    config: Option<Map<String, Value>>,
    /// All the domains of addresses that it owns.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    domains: Option<Vec<String>>,
    /// Name and logos on the pages; what is left out of it stays, null takes a member away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SsoBranding, required = false)]
    branding: Option<Map<String, Value>>,
    /// Whether the profile is taken over at each sign-in.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    sync_profile: Option<bool>,
    /// Whether users who administer this server may sign in with accounts here that they linked themselves.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    signs_in_administrators: Option<bool>,
}

/// The part of the body that is parsed after it is completed.
#[derive(Deserialize)]
struct LooksLike {
    branding: SsoBranding,
}

impl Patch for LooksLike {
    const MERGED: &'static Merged = &patches::SSO_CONNECTOR;
}

/// Changes an enterprise connector. With another issuer, who signed in before is somebody else.
#[utoipa::path(
    patch, path = "/api/sso-connectors/{id}", tag = "SSO connectors", summary = "Change an SSO connector",
    params(("id" = String, Path, description = "The connector")),
    request_body = UpdateSsoConnector,
    responses(
        (status = 200, description = "The connector", body = SsoConnectorView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
        (status = 409, description = "Another connector has the name", body = ApiErrorBody),
        (status = 422, description = "A domain that no connector can own", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_sso_connector(
    management: Management<Everything>,
    Id(id): Id<SsoConnectorId>,
    JsonBody(body): JsonBody<UpdateSsoConnector>,
) -> Result<Json<SsoConnectorView>, ApiError> {
    let app = &management.app;
    let missing = || ApiError::nothing_to_change("SSO connector", &id);
    let domains = body.domains.map(company_domain::read).transpose().map_err(refused::domains)?;
    let config = match body.config {
        Some(config) => {
            let before = sso_connectors::find(&mut management.read().await?, &id).await?.ok_or_else(missing)?;
            // An unreadable configuration can be replaced if the secret is given again.
            let known = decrypt_enterprise(&app.cipher, &before).ok();
            let config = tried(app, &before.provider_name, config, known.as_ref()).await?;
            Some((before.config, encrypted(app, &id, &config)?))
        }
        None => None,
    };
    let mut tx = management.begin().await?;
    // Serializes changes, so that each is based on the one before.
    EXPERIENCE.lock(&mut tx).await?;
    let mut connector = sso_connectors::find(&mut tx, &id).await?.ok_or_else(missing)?;
    if let Some((before, config)) = config {
        if connector.config != before {
            let message = "The configuration was changed at the same time. Look at it, and try again.";
            return Err(ApiError::new(ApiCode::EntityConflict, message));
        }
        connector.config = config;
    }
    if let Some(name) = body.connector_name {
        connector.connector_name = name.into();
    }
    if let Some(branding) = body.branding {
        let named = Map::from_iter([("branding".to_owned(), Value::Object(branding))]);
        let LooksLike { branding } = patch::over(named, &json!({ "branding": connector.branding.0 }))?;
        connector.branding = Stored(serde_json::to_value(branding)?);
    }
    connector.sync_profile = body.sync_profile.unwrap_or(connector.sync_profile);
    connector.signs_in_administrators = body.signs_in_administrators.unwrap_or(connector.signs_in_administrators);
    match sso_connectors::update(&mut tx, &connector).await {
        Err(storage::Error::Conflict) => return Err(refused::name_taken()),
        written => written?,
    };
    let domains = match domains {
        Some(domains) => {
            DOMAINS.replace(&mut tx, &id, &domains).await?;
            domains
        }
        None => DOMAINS.of(&mut tx, &id).await?,
    };
    let details = json!({
        "ssoConnectorId": id, "domains": domains, "signsInAdministrators": connector.signs_in_administrators,
    });
    tx.audit(AuditKey::ManagementSsoConnectorUpdate, details).await?;
    tx.commit().await?;
    Ok(Json(SsoConnectorView::of(app, connector, domains)))
}
