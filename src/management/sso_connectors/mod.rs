//! `/api/sso-connectors` and `/api/sso-connector-providers`: enterprise sign-in.

mod closing;
mod refused;
mod settings;

use self::closing::Closing;
use self::settings::{encrypted, issuer, tried};
use crate::connectors::ids;
use crate::describe::routes;
use crate::lockout::{self, LockoutQuery};
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage};
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::sso_connectors::{
    CreateSsoConnector, ProviderView, SsoBranding, SsoConnectorView, UpdateSsoConnector,
};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::company_domain;
use claimsmith_domain::connector::ENTERPRISE;
use claimsmith_domain::connector::configuration::hide;
use claimsmith_domain::documents::patch::{self as patches, Merged, Patch};
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::management::{ConfigsRead, Everything};
use claimsmith_domain::sign_in_experience::accepted_credentials::ClosedCompany;
use claimsmith_domain::upstream::Protocol;
use claimsmith_domain::upstream::enterprise::{self, EnterpriseProvider};
use claimsmith_services::app::App;
use claimsmith_services::connectors::decrypt_enterprise;
use claimsmith_storage::connectors::sso_connectors::{self, DOMAINS, SsoConnector};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Document, Json as Stored};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::patch;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_sso_connector, self::list_sso_connectors))
        .routes(routes!(self::show_sso_connector, self::update_sso_connector, self::delete_sso_connector))
        .routes(routes!(self::list_sso_connector_providers))
}

/// Lists enterprise connectors, the oldest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/sso-connectors", tag = "SSO connectors",
    params(OptionalPageParameters),
    responses(
        (status = 200, description = "The connectors", body = Vec<SsoConnectorView>),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_sso_connectors(
    management: Management<ConfigsRead>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let total = sso_connectors::count(&mut tx).await?;
    let mut views = Vec::new();
    for connector in sso_connectors::list(&mut tx, page.slice()).await? {
        let domains = DOMAINS.of(&mut tx, &connector.id).await?;
        views.push(view(&management.app, connector, domains));
    }
    page.answer(total, views)
}

/// Shows an enterprise connector, with what its provider says of itself.
///
/// The secret of its configuration is hidden.
#[utoipa::path(
    get, path = "/api/sso-connectors/{id}", tag = "SSO connectors",
    params(("id" = String, Path, description = "The connector")),
    responses(
        (status = 200, description = "The connector", body = SsoConnectorView),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_sso_connector(
    management: Management<ConfigsRead>,
    Id(id): Id<SsoConnectorId>,
) -> Result<Json<SsoConnectorView>, ApiError> {
    let (connector, domains) = {
        let mut tx = management.read().await?;
        let found = sso_connectors::find(&mut tx, &id).await?;
        (found.ok_or_else(|| ApiError::not_found("SSO connector", &id))?, DOMAINS.of(&mut tx, &id).await?)
    };
    let provider_config = said(&management, &connector).await;
    let mut shown = view(&management.app, connector, domains);
    shown.provider_config = provider_config;
    Ok(Json(shown))
}

/// The provider's metadata, if it can be reached.
async fn said(management: &Caller, connector: &SsoConnector) -> Option<Value> {
    let config = decrypt_enterprise(&management.app.cipher, connector).ok()?;
    let upstream = enterprise::upstream(&connector.provider_name, config.as_object()?, &[]).ok()?;
    match &upstream.protocol {
        Protocol::OpenId { issuer } => management.app.federation.described(issuer).await.ok(),
        Protocol::OAuth { .. } => None,
    }
}

/// Creates an enterprise connector.
///
/// Its provider is asked whether it is there.
#[utoipa::path(
    post, path = "/api/sso-connectors", tag = "SSO connectors",
    request_body = CreateSsoConnector,
    responses(
        (status = 200, description = "The connector", body = SsoConnectorView),
        BodyRefused, AccessRefused,
        (status = 409, description = "Another connector has the name", body = ApiErrorBody),
        (status = 422, description = "No such provider, a domain that no connector can own, or an id that is taken", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_sso_connector(
    management: Management<Everything>,
    JsonBody(body): JsonBody<CreateSsoConnector>,
) -> Result<Json<SsoConnectorView>, ApiError> {
    let provider = EnterpriseProvider::find(body.provider_name.as_str());
    let provider = provider.ok_or_else(|| refused::unknown_provider(body.provider_name.as_str()))?;
    if body.enable_token_storage.0 == Some(true) {
        return Err(refused::invalid_config("enableTokenStorage: tokens of the provider are not kept"));
    }
    let domains = company_domain::read(body.domains.unwrap_or_default()).map_err(refused::domains)?;
    let config = tried(&management.app, provider.name, body.config.unwrap_or_default(), None).await?;
    let is_named = body.id.is_some();
    let id = SsoConnectorId::from(body.id.map_or_else(|| management.app.random.id(21), |id| Ok(id.into()))?);
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
    if is_named {
        // Two connectors of one id would have the same redirect URI, so the creations of both kinds are serialized.
        EXPERIENCE.lock(&mut tx).await?;
        ids::refuse_taken(&mut tx, connector.id.as_str()).await?;
    }
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
    Ok(Json(view(&management.app, connector, domains)))
}

/// The part of the body that is parsed after it is completed.
#[derive(Deserialize)]
struct LooksLike {
    branding: SsoBranding,
}

impl Patch for LooksLike {
    const MERGED: &'static Merged = &patches::SSO_CONNECTOR;
}

/// Changes an enterprise connector.
///
/// With another issuer, who signed in before is somebody else.
#[utoipa::path(
    patch, path = "/api/sso-connectors/{id}", tag = "SSO connectors",
    params(("id" = String, Path, description = "The connector"), LockoutQuery),
    request_body = UpdateSsoConnector,
    responses(
        (status = 200, description = "The connector", body = SsoConnectorView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
        (status = 409, description = "Another connector has the name", body = ApiErrorBody),
        (
            status = 422,
            description = "A domain that no connector can own; or with `refuseLockout`, users could no longer sign in",
            body = ApiErrorBody,
        ),
    ),
)]
pub(super) async fn update_sso_connector(
    management: Management<Everything>,
    Id(id): Id<SsoConnectorId>,
    Filters(query): Filters<LockoutQuery>,
    JsonBody(body): JsonBody<UpdateSsoConnector>,
) -> Result<Json<SsoConnectorView>, ApiError> {
    let app = &management.app;
    let missing = || ApiError::nothing_to_change("SSO connector", &id);
    let domains = body.domains.map(company_domain::read).transpose().map_err(refused::domains)?;
    let mut moves = false;
    let config = match body.config {
        Some(config) => {
            let before = sso_connectors::find(&mut management.read().await?, &id).await?.ok_or_else(missing)?;
            // An unreadable configuration can be replaced if the secret is given again.
            let known = decrypt_enterprise(&app.cipher, &before).ok();
            let config = tried(app, &before.provider_name, config, known.as_ref()).await?;
            let issuer_before = known.and_then(|known| issuer(&before.provider_name, &known));
            moves = issuer_before.is_some() && issuer_before != issuer(&before.provider_name, &config);
            Some((before.config, encrypted(app, &id, &config)?))
        }
        None => None,
    };
    if query.refuse_lockout {
        let mut tx = management.read().await?;
        let before = sso_connectors::find(&mut tx, &id).await?.ok_or_else(missing)?;
        let domains_before = DOMAINS.of(&mut tx, &id).await?;
        let stops_administrators = before.signs_in_administrators && body.signs_in_administrators.0 == Some(false);
        let domains = domains.as_deref().map(|after| (domains_before.as_slice(), after));
        let closing = Closing { connector_id: &id, domains, moves, stops_administrators };
        lockout::check_closed(&mut tx, closing.closed(), management.now()).await?;
    }
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
    if let Some(name) = body.connector_name.0 {
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
    Ok(Json(view(app, connector, domains)))
}

/// Deletes an enterprise connector, with the identities at it.
///
/// Its users stay.
#[utoipa::path(
    delete, path = "/api/sso-connectors/{id}", tag = "SSO connectors",
    params(("id" = String, Path, description = "The connector"), LockoutQuery),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The query is not valid", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
        (status = 422, description = "With `refuseLockout`, users could no longer sign in", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_sso_connector(
    management: Management<Everything>,
    Id(id): Id<SsoConnectorId>,
    Filters(query): Filters<LockoutQuery>,
) -> Result<StatusCode, ApiError> {
    if query.refuse_lockout {
        let closed = ClosedCompany { connector_id: id.clone(), domains: None, is_for_administrators: false };
        lockout::check_closed(&mut management.read().await?, vec![closed], management.now()).await?;
    }
    let mut tx = management.begin().await?;
    if !sso_connectors::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("SSO connector", &id));
    }
    tx.audit(AuditKey::ManagementSsoConnectorDelete, json!({ "ssoConnectorId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How a connector is shown, without the secret of its configuration. A configuration that cannot be decrypted is marked,
/// so that the other connectors are still shown.
fn view(app: &App, connector: SsoConnector, domains: Vec<String>) -> SsoConnectorView {
    let config = match decrypt_enterprise(&app.cipher, &connector) {
        Ok(config) => hide(&ENTERPRISE, &config),
        Err(error) => {
            tracing::warn!(%error, connector = connector.id.as_str(), "an enterprise connector cannot be read");
            Value::unreadable(error.to_string())
        }
    };
    let title = EnterpriseProvider::find(&connector.provider_name).map_or("", |provider| provider.title);
    SsoConnectorView {
        tenant_id: Tenant,
        id: connector.id,
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
        provider_type: "oidc".to_owned(),
        provider_logo: String::new(),
        provider_logo_dark: String::new(),
        provider_config: None,
    }
}

/// Lists the providers that enterprise connectors can be of.
#[utoipa::path(
    get, path = "/api/sso-connector-providers", tag = "SSO connectors",
    responses(
        (status = 200, description = "The providers", body = Vec<ProviderView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_sso_connector_providers(_: Management<ConfigsRead>) -> Json<Vec<ProviderView>> {
    let view = |provider: &enterprise::EnterpriseProvider| ProviderView {
        provider_name: provider.name.to_owned(),
        provider_type: "oidc".to_owned(),
        logo: String::new(),
        logo_dark: String::new(),
        description: json!({ "en": provider.description }),
        name: json!({ "en": provider.title }),
    };
    Json(enterprise::ALL.iter().map(view).collect())
}
