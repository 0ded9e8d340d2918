//! `GET /api/configs/oidc/{keyType}` and `DELETE /api/configs/oidc/{keyType}/{keyId}`: the published signing keys,
//! never their private parts. There are no cookie keys: their list is empty.

use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::algorithm::Algorithm;
use claimsmith_domain::management::{ConfigsRead, ConfigsWrite};
use claimsmith_services::tokens::keys::{self, KeyStatus};
use claimsmith_storage::Tx;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::signing_keys::{self, SigningKey};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use serde::Serialize;
use serde_json::json;

/// A kind of key, as the path names it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyType {
    Private,
    Cookie,
}

impl KeyType {
    pub(super) fn read(text: &str) -> Result<Self, ApiError> {
        match text {
            "private-keys" => Ok(Self::Private),
            "cookie-keys" => Ok(Self::Cookie),
            _ => {
                let details = "Error in key path \"keyType\": expected private-keys or cookie-keys";
                Err(ApiError::invalid_input("params", details))
            }
        }
    }
}

/// A signing key, without its private part.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", "signingKeyAlgorithm": "ES256", "status": "Current",
    "createdAt": 1_760_000_000_000_i64, "activatesAt": 1_760_003_600_000_i64, "effectiveAt": 1_760_003_600_000_i64,
    "retiresAt": null
}))]
pub(super) struct KeyView {
    /// Its `kid`.
    id: String,
    /// `ES256`, `ES384`, `EdDSA` or `RS256`.
    #[schema(value_type = String)]
    signing_key_algorithm: Algorithm,
    /// `Next` will sign, `Current` signs what uses its algorithm; what `Previous` signed is still believed.
    #[schema(value_type = String)]
    status: KeyStatus,
    /// Unix milliseconds; published from then on.
    created_at: i64,
    /// Unix milliseconds; signs from then on, until a later key does.
    activates_at: i64,
    /// The same.
    effective_at: i64,
    /// Unix milliseconds; no longer published from then on.
    retires_at: Option<i64>,
}

impl From<(SigningKey, KeyStatus)> for KeyView {
    fn from((key, status): (SigningKey, KeyStatus)) -> Self {
        Self {
            id: key.kid,
            signing_key_algorithm: key.algorithm,
            status,
            created_at: key.created_at,
            activates_at: key.activates_at,
            effective_at: key.activates_at,
            retires_at: key.retires_at,
        }
    }
}

/// The published keys, ordered by when they sign, the latest first.
pub(super) async fn views(tx: &mut Tx, now: i64) -> Result<Vec<KeyView>, ApiError> {
    Ok(keys::published(tx, now).await?.into_iter().map(KeyView::from).collect())
}

/// Lists the published keys, the one that signs last first.
#[utoipa::path(
    get, path = "/api/configs/oidc/{keyType}", tag = "Configs", summary = "List signing keys",
    params(("keyType" = String, Path, description = "`private-keys`, or `cookie-keys`, of which there are none")),
    responses(
        (status = 200, description = "The keys", body = Vec<KeyView>),
        (status = 400, description = "No such type of key", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "Nothing can have this name", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_keys(
    management: Management<ConfigsRead>,
    Id(key_type): Id,
) -> Result<Json<Vec<KeyView>>, ApiError> {
    Ok(Json(match KeyType::read(&key_type)? {
        KeyType::Private => views(&mut management.read().await?, management.now()).await?,
        KeyType::Cookie => Vec::new(),
    }))
}

/// Takes a key that signs no more out of the key set: what it signed is not believed any more.
#[utoipa::path(
    delete, path = "/api/configs/oidc/{keyType}/{keyId}", tag = "Configs", summary = "Delete a signing key",
    params(
        ("keyType" = String, Path, description = "`private-keys` or `cookie-keys`"),
        ("keyId" = String, Path, description = "The key's `kid`"),
    ),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "No such type of key", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such key", body = ApiErrorBody),
        (status = 422, description = "The key signs or will sign", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_key(
    management: Management<ConfigsWrite>,
    IdPair(key_type, key_id): IdPair,
) -> Result<StatusCode, ApiError> {
    let key_type = KeyType::read(&key_type)?;
    let mut tx = management.begin_revision(Changed::Keys).await?;
    let keys = keys::published(&mut tx, management.now()).await?;
    let found = keys.iter().find(|(key, _)| key_type == KeyType::Private && key.kid == key_id);
    let algorithm = found.map(|(key, _)| key.algorithm);
    match found.map(|(_, status)| *status) {
        None => {
            let message = format!("There is no key {key_id:?}.");
            return Err(ApiError::new(ApiCode::OidcKeyNotFound, message));
        }
        Some(_) if keys.iter().filter(|(key, _)| Some(key.algorithm) == algorithm).count() == 1 => {
            return Err(ApiError::new(ApiCode::OidcKeyRequired, "At least one key of each algorithm is required."));
        }
        Some(KeyStatus::Next | KeyStatus::Current) => {
            let message = "Only a key that no longer signs can be deleted.";
            return Err(ApiError::new(ApiCode::OidcOnlyPreviousKeyCanBeDeleted, message));
        }
        Some(KeyStatus::Previous) => {}
    }
    signing_keys::delete(&mut tx, &key_id).await?;
    tx.audit(AuditKey::ManagementConfigSigningKeyDelete, json!({ "kid": key_id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
