//! `/api/connectors` and `/api/connector-factories`: connections to other services.

mod authorization;
mod factories;
pub(crate) mod ids;
mod refused;
mod trial;

use crate::describe::routes;
use crate::lockout::{self, LockoutQuery};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::connectors::{ConnectorView, CreateConnector, UpdateConnector};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::connector::configuration::{hide, keep_secrets};
use claimsmith_domain::connector::{Factory, factory};
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::connector::metadata::{ConnectorMetadata, ConnectorTarget};
use claimsmith_domain::id::ConnectorId;
use claimsmith_domain::management::{ConfigsRead, Everything};
use claimsmith_domain::upstream::presets::Preset;
use claimsmith_services::app::App;
use claimsmith_services::connectors::{decrypt, encrypt};
use claimsmith_storage::connectors::{self, Connector};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::identities;
use claimsmith_storage::{self as storage, Document, Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::patch::PatchBody;
use claimsmith_web::extract::query::Query;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_connector, self::list_connectors))
        .routes(routes!(self::show_connector, self::update_connector, self::delete_connector))
        .routes(routes!(authorization::make_authorization_uri))
        .routes(routes!(trial::test_connector))
        .routes(routes!(factories::list_connector_factories))
        .routes(routes!(factories::show_connector_factory))
}

/// Lists connectors, the oldest first.
#[utoipa::path(
    get, path = "/api/connectors", tag = "Connectors",
    params(("target" = Option<String>, Query, description = "Those with this target alone")),
    responses(
        (status = 200, description = "The connectors", body = Vec<ConnectorView>),
        (status = 400, description = "The target is given twice or too long", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_connectors(
    management: Management<ConfigsRead>,
    query: Query,
) -> Result<Json<Vec<ConnectorView>>, ApiError> {
    let all = connectors::list(&mut management.read().await?, query.one("target")?).await?;
    Ok(Json(all.into_iter().map(|connector| view(&management, connector)).collect()))
}

/// Shows a connector.
///
/// Secrets of its configuration are hidden.
#[utoipa::path(
    get, path = "/api/connectors/{id}", tag = "Connectors",
    params(("id" = String, Path, description = "The connector")),
    responses(
        (status = 200, description = "The connector", body = ConnectorView),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_connector(
    management: Management<ConfigsRead>,
    Id(id): Id<ConnectorId>,
) -> Result<Json<ConnectorView>, ApiError> {
    let found = connectors::find(&mut management.read().await?, &id).await?;
    let found = found.ok_or_else(|| ApiError::not_found("connector", &id))?;
    Ok(Json(view(&management, found)))
}

/// Creates a connector.
///
/// One that sends e-mails or text messages takes the place of the one there was.
#[utoipa::path(
    post, path = "/api/connectors", tag = "Connectors",
    request_body = CreateConnector,
    responses(
        (status = 200, description = "The connector", body = ConnectorView),
        BodyRefused, AccessRefused,
        (status = 422, description = "No such factory, or there cannot be another one of it", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_connector(
    management: Management<Everything>,
    JsonBody(body): JsonBody<CreateConnector>,
) -> Result<Json<ConnectorView>, ApiError> {
    let factory_id = String::from(body.connector_id);
    let factory = factory(&factory_id).ok_or_else(|| refused::unknown_factory(&factory_id))?;
    let metadata = body.metadata.unwrap_or_default();
    let target = target(factory, &metadata)?;
    let is_social = factory.kind == ConnectorType::Social;
    if body.sync_profile.0 == Some(true) && !is_social {
        return Err(refused::no_profiles());
    }
    if body.enable_token_storage.0 == Some(true) && !factory.is_token_storage_supported {
        return Err(refused::no_tokens());
    }
    let mut config = Value::Object(body.config.unwrap_or_default());
    keep_secrets(factory, &mut config, None).map_err(|fault| refused::invalid_config(factory, &fault))?;
    (factory.check)(&config).map_err(|fault| refused::invalid_config(factory, &fault))?;
    let id = ConnectorId::from(body.id.map_or_else(|| management.app.random.id(21), |id| Ok(id.into()))?);
    let connector = Connector {
        config: encrypt(&management.app.cipher, &id, &config)?,
        id,
        connector_id: factory_id,
        kind: factory.kind,
        target,
        metadata: Stored(serde_json::to_value(&metadata)?),
        sync_profile: body.sync_profile.unwrap_or_default(),
        enable_token_storage: body.enable_token_storage.unwrap_or_default(),
        created_at: management.now(),
    };

    let mut tx = management.begin().await?;
    // Serialized with other creations, and with changes of settings that depend on connectors.
    EXPERIENCE.lock(&mut tx).await?;
    ids::refuse_taken(&mut tx, connector.id.as_str()).await?;
    if is_social {
        check_others(&mut tx, factory, &connector).await?;
    }
    let replaced = if is_social { 0 } else { connectors::delete_of_type(&mut tx, connector.kind).await? };
    match connectors::insert(&mut tx, &connector).await {
        Err(storage::Error::Conflict) => return Err(ids::taken()),
        written => written?,
    }
    let details = json!({ "connectorId": connector.id, "factoryId": factory.id, "replaced": replaced });
    tx.audit(AuditKey::ManagementConnectorCreate, details).await?;
    tx.commit().await?;
    Ok(Json(view(&management, connector)))
}

/// The key under which identities are stored: set by standard connectors only, given by the factory of others.
fn target(factory: &Factory, metadata: &ConnectorMetadata) -> Result<String, ApiError> {
    match (&metadata.target, factory.is_standard) {
        (Some(target), true) => Ok(target.as_str().to_owned()),
        (None, true) => {
            Err(ApiError::new(ApiCode::ConnectorShouldSpecifyTarget, "A standard connector needs a metadata.target."))
        }
        (_, false) if metadata.is_empty() => Ok(factory.target.to_owned()),
        (_, false) => Err(ApiError::new(
            ApiCode::ConnectorCannotOverwriteMetadataForNonStandardConnector,
            "Only standard connectors have metadata of their own.",
        )),
    }
}

/// Checks a social connector against the others: one per factory that is not standard, one per target and platform.
async fn check_others(tx: &mut Tx, factory: &Factory, new: &Connector) -> Result<(), ApiError> {
    let others = connectors::list(tx, None).await?;
    if !factory.is_standard && others.iter().any(|other| other.connector_id == factory.id) {
        let message = format!("There is a connector of {} already.", factory.name);
        return Err(ApiError::new(ApiCode::ConnectorMultipleInstancesNotSupported, message));
    }
    let platform_of =
        |other: &Connector| claimsmith_domain::connector::factory(&other.connector_id).map(|known| known.platform);
    let same = |other: &&Connector| {
        other.kind == new.kind && other.target == new.target && platform_of(other) == Some(factory.platform)
    };
    let Some(other) = others.iter().find(same) else { return Ok(()) };
    let message = "There is a connector with this target for the same platform already.";
    let data = json!({ "connectorId": other.connector_id, "connectorName": other.metadata.get("name") });
    Err(ApiError::new(ApiCode::ConnectorMultipleTargetWithSamePlatform, message).with_data(data))
}

/// Changes a connector.
#[utoipa::path(
    patch, path = "/api/connectors/{id}", tag = "Connectors",
    params(("id" = String, Path, description = "The connector")),
    request_body = UpdateConnector,
    responses(
        (status = 200, description = "The connector", body = ConnectorView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
        (status = 422, description = "The connector cannot do that", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_connector(
    management: Management<Everything>,
    Id(id): Id<ConnectorId>,
    body: PatchBody<UpdateConnector>,
) -> Result<Json<ConnectorView>, ApiError> {
    let cipher = &management.app.cipher;
    let mut tx = management.begin().await?;
    // Serializes changes, so that each is based on the one before.
    EXPERIENCE.lock(&mut tx).await?;
    let found = connectors::find(&mut tx, &id).await?;
    let mut connector = found.ok_or_else(|| ApiError::nothing_to_change("connector", &id))?;
    let factory = factory(&connector.connector_id).ok_or_else(|| refused::unknown_factory(&connector.connector_id))?;
    // The target is validated like the rest: it cannot be changed.
    let body = body.over(&json!({ "metadata": connector.metadata.0 }))?;
    if let Some(metadata) = body.metadata {
        connector.metadata = Stored(changed_metadata(factory, &connector, metadata)?);
    }
    if let Some(config) = body.config {
        let mut config = Value::Object(config);
        // An unreadable configuration can be replaced if all secrets are given again.
        let before = decrypt(cipher, &connector).ok();
        keep_secrets(factory, &mut config, before.as_ref())
            .map_err(|fault| refused::invalid_config(factory, &fault))?;
        (factory.check)(&config).map_err(|fault| refused::invalid_config(factory, &fault))?;
        refuse_other_place(&mut tx, &connector, before.as_ref(), &config).await?;
        connector.config = encrypt(cipher, &connector.id, &config)?;
    }
    if let Some(sync_profile) = body.sync_profile.0 {
        if sync_profile && factory.kind != ConnectorType::Social {
            return Err(refused::no_profiles());
        }
        connector.sync_profile = sync_profile;
    }
    if let Some(enable) = body.enable_token_storage.0 {
        if enable && !factory.is_token_storage_supported {
            return Err(refused::no_tokens());
        }
        connector.enable_token_storage = enable;
    }
    connectors::update(&mut tx, &connector).await?;
    tx.audit(AuditKey::ManagementConnectorUpdate, json!({ "connectorId": id, "factoryId": factory.id })).await?;
    tx.commit().await?;
    Ok(Json(view(&management, connector)))
}

/// Refuses another server where users are linked by their ids at this one: its ids belong to different users.
async fn refuse_other_place(
    tx: &mut Tx,
    connector: &Connector,
    before: Option<&Value>,
    after: &Value,
) -> Result<(), ApiError> {
    let protocol = |config: &Value| {
        let upstream = Preset::find(&connector.connector_id)?.upstream(config.as_object()?);
        upstream.ok().map(|upstream| upstream.protocol)
    };
    let (Some(before), Some(after)) = (before.and_then(protocol), protocol(after)) else { return Ok(()) };
    if before.is_same_place(&after) || !identities::exist(tx, &connector.target).await? {
        return Ok(());
    }
    let message = "Users are known by their ids at this server. Another server needs a connector with another target.";
    Err(ApiError::new(ApiCode::ConnectorCanNotModifyTarget, message))
}

/// The new metadata, with the old target.
fn changed_metadata(
    factory: &Factory,
    connector: &Connector,
    mut metadata: ConnectorMetadata,
) -> Result<Value, ApiError> {
    if !factory.is_standard {
        return if metadata.is_empty() {
            Ok(connector.metadata.0.clone())
        } else {
            let message = "Only standard connectors have metadata of their own.";
            Err(ApiError::new(ApiCode::ConnectorCannotOverwriteMetadataForNonStandardConnector, message))
        };
    }
    if metadata.target.as_ref().is_some_and(|target| target.as_str() != connector.target) {
        let message = "The target of a connector cannot be changed: identities of users are kept under it.";
        return Err(ApiError::new(ApiCode::ConnectorCanNotModifyTarget, message));
    }
    metadata.target = ConnectorTarget::try_from(connector.target.clone()).ok();
    Ok(serde_json::to_value(&metadata)?)
}

/// Deletes a connector.
///
/// Its target is not offered at sign-in any more, unless another connector has it. Messages that wait for it are sent
/// by the next connector of its type, if there is one in time.
#[utoipa::path(
    delete, path = "/api/connectors/{id}", tag = "Connectors",
    params(("id" = String, Path, description = "The connector"), LockoutQuery),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The query is not valid", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
        (status = 422, description = "With `refuseLockout`, users could no longer sign in", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_connector(
    management: Management<Everything>,
    Id(id): Id<ConnectorId>,
    Filters(query): Filters<LockoutQuery>,
) -> Result<StatusCode, ApiError> {
    if query.refuse_lockout {
        let mut tx = management.read().await?;
        if let Some(connector) = connectors::find(&mut tx, &id).await? {
            lockout::check_without(&mut tx, &connector, management.now()).await?;
        }
    }
    let mut tx = management.begin().await?;
    let mut settings = EXPERIENCE.lock(&mut tx).await?;
    let found = connectors::find(&mut tx, &id).await?;
    let connector = found.ok_or_else(|| ApiError::nothing_to_delete("connector", &id))?;
    connectors::delete(&mut tx, &id).await?;
    let target = connector.target.as_str();
    let is_offered = settings.social_sign_in_connector_targets.iter().any(|offered| offered.as_str() == target);
    if is_offered && connectors::list(&mut tx, Some(target)).await?.is_empty() {
        settings.social_sign_in_connector_targets.retain(|offered| offered.as_str() != target);
        EXPERIENCE.put(&mut tx, &settings).await?;
    }
    let details = json!({ "connectorId": id, "factoryId": connector.connector_id });
    tx.audit(AuditKey::ManagementConnectorDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How a connector is shown. Secrets of its configuration are hidden. A configuration that cannot be decrypted is marked,
/// so that the other connectors are still shown.
fn view(management: &Caller, connector: Connector) -> ConnectorView {
    let factory = factory(&connector.connector_id);
    let config = match (decrypt(&management.app.cipher, &connector), factory) {
        (Ok(config), Some(factory)) => hide(factory, &config),
        (Ok(_), None) => Value::unreadable("there is no such factory in this version of the server".to_owned()),
        (Err(error), _) => {
            tracing::warn!(%error, connector = connector.id.as_str(), "a connector cannot be read");
            Value::unreadable(error.to_string())
        }
    };
    ConnectorView {
        about: factory.map(|factory| factories::about(factory, &connector.metadata)),
        id: connector.id,
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
