//! `/api/configs`: configuration in the database, and the server's startup configuration. Token scripts: `plugins`.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::configs::{
    GracePeriod, KeyView, RequestedAlgorithm, RotateKeys, ServerSetting, SessionConfig, SessionConfigChange,
    SettingSource,
};
use claimsmith_config::{Setting, ValueSource};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_token::IdTokenConfig;
use claimsmith_domain::key_status::KeyStatus;
use claimsmith_domain::management::{ConfigsRead, ConfigsWrite};
use claimsmith_identity::interaction::session;
use claimsmith_services::app::App;
use claimsmith_services::tokens::keys;
use claimsmith_services::tokens::{Algorithm, user_claims};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::signing_keys::{self, SigningKey};
use claimsmith_storage::{Tx, settings};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_keys))
        .routes(routes!(self::show_session_config, self::change_session_config))
        .routes(routes!(self::rotate_keys))
        .routes(routes!(self::delete_key))
        .routes(routes!(self::show_server_settings))
        .routes(routes!(self::show_id_token, self::replace_id_token))
}

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

impl IntoView<KeyView> for (SigningKey, KeyStatus) {
    fn into_view(self) -> KeyView {
        let (key, status) = self;
        KeyView {
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
    Ok(keys::published(tx, now).await?.into_iter().map(IntoView::into_view).collect())
}

/// Lists the published keys, the one that signs last first.
#[utoipa::path(
    get, path = "/api/configs/oidc/{keyType}", tag = "Configs",
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
    delete, path = "/api/configs/oidc/{keyType}/{keyId}", tag = "Configs",
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

/// Maximum number of published keys, which every client fetches.
const MAX_PUBLISHED_KEYS: usize = 20;

fn algorithm_of(requested: RequestedAlgorithm) -> Algorithm {
    match requested {
        RequestedAlgorithm::ES256 | RequestedAlgorithm::Ec => Algorithm::ES256,
        RequestedAlgorithm::ES384 => Algorithm::ES384,
        RequestedAlgorithm::EdDSA => Algorithm::EdDSA,
        RequestedAlgorithm::RS256 | RequestedAlgorithm::Rsa => Algorithm::RS256,
    }
}

/// Publishes the next signing key of an algorithm.
///
/// Access tokens stay with `tokens.signing_algorithm`, id tokens with the algorithm of their application. The key signs
/// once clients had time to fetch it (`rotationGracePeriod`, or `tokens.key_publish_delay`); those before it of the
/// same algorithm stay until the last token they signed has expired.
#[utoipa::path(
    post, path = "/api/configs/oidc/{keyType}/rotate", tag = "Configs",
    params(("keyType" = String, Path, description = "`private-keys`; there are no `cookie-keys` to rotate")),
    request_body = RotateKeys,
    responses(
        (status = 200, description = "The keys, the one that signs last first", body = Vec<KeyView>),
        BodyRefused, AccessRefused,
        (status = 404, description = "Nothing can have this name", body = ApiErrorBody),
        (status = 422, description = "Keys that are not rotated, or too many published keys", body = ApiErrorBody),
    ),
)]
pub(super) async fn rotate_keys(
    management: Management<ConfigsWrite>,
    Id(key_type): Id,
    JsonBody(body): JsonBody<RotateKeys>,
) -> Result<Json<Vec<KeyView>>, ApiError> {
    if KeyType::read(&key_type)? == KeyType::Cookie {
        return Err(ApiError::new(ApiCode::OidcKeyTypeNotSupported, "There are no cookie keys to rotate."));
    }
    let (app, now) = (management.app.clone(), management.now());
    let algorithm =
        body.signing_key_algorithm.map_or(Algorithm::from(app.config.tokens.signing_algorithm), algorithm_of);
    let delay = match body.rotation_grace_period {
        Some(GracePeriod(seconds)) => i64::from(seconds) * 1000,
        None => i64::try_from(app.config.tokens.key_publish_delay.as_millis())?,
    };
    let lifetime = i64::try_from(app.config.tokens.access_token_ttl.as_millis())?;
    let cipher = app.cipher.clone();
    // Generating an RSA key takes long.
    let made = tokio::task::spawn_blocking(move || keys::make(algorithm, &cipher, now, now + delay));
    let key = made.await??;

    let mut tx = management.begin_revision(Changed::Keys).await?;
    if keys::published(&mut tx, now).await?.len() >= MAX_PUBLISHED_KEYS {
        let message =
            format!("{MAX_PUBLISHED_KEYS} keys are published; wait until the oldest of them expires, or delete it.");
        return Err(ApiError::new(ApiCode::OidcTooManyKeys, message));
    }
    let key = keys::rotate(&mut tx, key, lifetime).await?;
    let details = json!({ "kid": key.kid, "algorithm": key.algorithm, "activatesAt": key.activates_at });
    tx.audit(AuditKey::ManagementConfigSigningKeyRotate, details).await?;
    let views = views(&mut tx, now).await?;
    tx.commit().await?;
    Ok(Json(views))
}

/// Shows how long sign-in sessions live.
#[utoipa::path(
    get, path = "/api/configs/oidc/session", tag = "Configs",
    responses(
        (status = 200, description = "The configuration", body = SessionConfig),
        AccessRefused,
    ),
)]
pub(super) async fn show_session_config(management: Management<ConfigsRead>) -> Result<Json<SessionConfig>, ApiError> {
    let ttl = session::ttl(&mut management.read().await?, &management.app.config.sessions).await?;
    Ok(Json(SessionConfig { ttl }))
}

/// Changes how long sign-in sessions live: those that begin from now on.
#[utoipa::path(
    patch, path = "/api/configs/oidc/session", tag = "Configs",
    request_body = SessionConfigChange,
    responses((status = 200, description = "The configuration", body = SessionConfig), BodyRefused, AccessRefused),
)]
pub(super) async fn change_session_config(
    management: Management<ConfigsWrite>,
    JsonBody(body): JsonBody<SessionConfigChange>,
) -> Result<Json<SessionConfig>, ApiError> {
    let mut tx = management.begin().await?;
    if let Some(seconds) = body.ttl {
        session::set_ttl(&mut tx, seconds.map(u32::from)).await?;
    }
    let ttl = session::ttl(&mut tx, &management.app.config.sessions).await?;
    tx.audit(AuditKey::ManagementConfigSessionUpdate, json!({ "ttl": ttl })).await?;
    tx.commit().await?;
    Ok(Json(SessionConfig { ttl }))
}

/// Shows what id tokens hold: roles, organizations and organization roles before anybody configured it.
#[utoipa::path(
    get, path = "/api/configs/id-token", tag = "Configs",
    responses(
        (status = 200, description = "The configuration", body = IdTokenConfig),
        AccessRefused,
    ),
)]
pub(super) async fn show_id_token(management: Management<ConfigsRead>) -> Result<Json<IdTokenConfig>, ApiError> {
    Ok(Json(user_claims::id_token_config(&mut management.read().await?).await?))
}

/// Replaces what id tokens hold.
#[utoipa::path(
    put, path = "/api/configs/id-token", tag = "Configs",
    request_body = IdTokenConfig,
    responses((status = 200, description = "The configuration", body = IdTokenConfig), BodyRefused, AccessRefused),
)]
pub(super) async fn replace_id_token(
    management: Management<ConfigsWrite>,
    JsonBody(body): JsonBody<IdTokenConfig>,
) -> Result<Json<IdTokenConfig>, ApiError> {
    let config = IdTokenConfig { enabled_extended_claims: Some(body.enabled_extended_claims.unwrap_or_default()) };
    let mut tx = management.begin().await?;
    settings::put(&mut tx, settings::ID_TOKENS, &serde_json::to_string(&config)?).await?;
    let details = json!({ "enabledExtendedClaims": config.enabled_extended_claims });
    tx.audit(AuditKey::ManagementConfigIdTokenUpdate, details).await?;
    tx.commit().await?;
    Ok(Json(config))
}

/// Lists every key of the server's configuration with its value and where that came from.
#[utoipa::path(
    get, path = "/api/configs/server", tag = "Configs",
    responses((status = 200, description = "Every key", body = Vec<ServerSetting>), AccessRefused),
)]
pub(super) async fn show_server_settings(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<ServerSetting>>, ApiError> {
    Ok(Json(management.app.config.settings().into_iter().map(IntoView::into_view).collect()))
}

impl IntoView<ServerSetting> for Setting {
    fn into_view(self) -> ServerSetting {
        ServerSetting {
            key: self.key.to_owned(),
            value: self.value,
            default_value: self.default,
            source: self.source.into_view(),
            environment: self.environment.to_owned(),
            flag: self.flag.map(|flag| format!("--{flag}")),
            description: self.about.to_owned(),
            accepts: self.accepts,
            is_secret: self.is_secret,
        }
    }
}

impl IntoView<SettingSource> for ValueSource {
    fn into_view(self) -> SettingSource {
        let (kind, name) = match self {
            ValueSource::Default => ("default", None),
            ValueSource::Follows(key) => ("follows", Some(key.to_owned())),
            ValueSource::File(name) => ("file", Some(name)),
            ValueSource::Environment(name) => ("environment", Some(name.to_owned())),
            ValueSource::Flag(name) => ("flag", Some(format!("--{name}"))),
        };
        SettingSource { kind: kind.to_owned(), name }
    }
}
