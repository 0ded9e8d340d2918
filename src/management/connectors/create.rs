//! `POST /api/connectors`.

use super::refused;
use super::view::ConnectorView;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::connector::configuration::keep_secrets;
use claimsmith_domain::connector::{Factory, factory};
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::connector::metadata::{ConnectorMetadata, ConnectorTarget};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ConnectorId;
use claimsmith_domain::management::Everything;
use claimsmith_json::present;
use claimsmith_services::connectors::encrypt;
use claimsmith_storage::connectors::{self, Connector};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A new connector.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "connectorId": "http-sms",
    "config": { "endpoint": "https://messages.example.com/send", "authorization": "Bearer 4kTq8ZbW2mXr7NcV1sYd" }
}))]
pub(super) struct CreateConnector {
    /// The factory, such as `smtp`.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    connector_id: Text<1, 128>,
    /// What the factory says that it needs.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    config: Option<Map<String, Value>>,
    /// Target, name and logo of a standard connector.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = ConnectorMetadata, required = false)]
    metadata: Option<ConnectorMetadata>,
    /// Whether a social connector takes the profile over at each sign-in.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    sync_profile: Option<bool>,
    /// Whether tokens of the other service are kept.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enable_token_storage: Option<bool>,
    /// Its id; a random one when it is not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, pattern = "^[A-Za-z0-9_-]{1,128}$")]
    id: Option<ConnectorTarget>,
}

/// Creates a connector. One that sends e-mails or text messages takes the place of the one there was.
#[utoipa::path(
    post, path = "/api/connectors", tag = "Connectors", summary = "Create a connector",
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
    if body.sync_profile == Some(true) && !is_social {
        return Err(refused::no_profiles());
    }
    if body.enable_token_storage == Some(true) && !factory.is_token_storage_supported {
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
    if is_social {
        check_others(&mut tx, factory, &connector).await?;
    }
    let replaced = if is_social { 0 } else { connectors::delete_of_type(&mut tx, connector.kind).await? };
    match connectors::insert(&mut tx, &connector).await {
        Err(storage::Error::Conflict) => return Err(relations::taken("There is a connector of this id already.")),
        written => written?,
    }
    let details = json!({ "connectorId": connector.id, "factoryId": factory.id, "replaced": replaced });
    tx.audit(AuditKey::ManagementConnectorCreate, details).await?;
    tx.commit().await?;
    Ok(Json(ConnectorView::of(&management, connector)))
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
