//! `PATCH /api/connectors/{id}`.

use super::refused;
use super::view::ConnectorView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::connector::configuration::keep_secrets;
use claimsmith_domain::connector::{Factory, factory};
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::connector::metadata::{ConnectorMetadata, ConnectorTarget};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::id::ConnectorId;
use claimsmith_domain::management::Everything;
use claimsmith_domain::upstream::presets::Preset;
use claimsmith_json::{present, present_object};
use claimsmith_services::connectors::{decrypt, encrypt};
use claimsmith_storage::connectors::{self, Connector};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::identities;
use claimsmith_storage::{Json as Stored, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "config": { "endpoint": "https://messages.example.com/send", "authorization": "********" }
}))]
pub(super) struct UpdateConnector {
    /// Takes the place of the whole configuration. A secret that is left out or `********` stays, as long as the
    /// destination is the same.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    config: Option<Map<String, Value>>,
    /// Name and logo of a standard connector; what is left out of it stays, null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
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
}

impl Patch for UpdateConnector {
    const MERGED: &'static Merged = &patch::CONNECTOR;
}

/// Changes a connector.
#[utoipa::path(
    patch, path = "/api/connectors/{id}", tag = "Connectors", summary = "Change a connector",
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
    if let Some(sync_profile) = body.sync_profile {
        if sync_profile && factory.kind != ConnectorType::Social {
            return Err(refused::no_profiles());
        }
        connector.sync_profile = sync_profile;
    }
    if let Some(enable) = body.enable_token_storage {
        if enable && !factory.is_token_storage_supported {
            return Err(refused::no_tokens());
        }
        connector.enable_token_storage = enable;
    }
    connectors::update(&mut tx, &connector).await?;
    tx.audit(AuditKey::ManagementConnectorUpdate, json!({ "connectorId": id, "factoryId": factory.id })).await?;
    tx.commit().await?;
    Ok(Json(ConnectorView::of(&management, connector)))
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
