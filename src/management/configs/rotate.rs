//! `POST /api/configs/oidc/{keyType}/rotate`.

use super::keys::{KeyType, KeyView, views};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_json::present;
use claimsmith_services::tokens::{Algorithm, keys};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Maximum number of published keys, which every client fetches.
const MAX_PUBLISHED_KEYS: usize = 20;

/// The key to come.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "signingKeyAlgorithm": "EC", "rotationGracePeriod": 14_400 }))]
pub(super) struct RotateKeys {
    /// The algorithm whose keys rotate; `tokens.signing_algorithm`, with which access tokens are signed, when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = RequestedAlgorithm, required = false)]
    signing_key_algorithm: Option<RequestedAlgorithm>,
    /// Seconds until it signs, at most a year; `tokens.key_publish_delay` when not given. Clients that have not fetched
    /// the keys anew by then refuse what it signs. The first key of an algorithm signs at once.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = u32, required = false, maximum = 31_536_000)]
    rotation_grace_period: Option<GracePeriod>,
}

/// Maximum delay until a key signs, in seconds: a year.
const MAX_GRACE_PERIOD_SECONDS: u32 = 31_536_000;

#[derive(Deserialize)]
#[serde(try_from = "u32")]
struct GracePeriod(u32);

impl TryFrom<u32> for GracePeriod {
    type Error = String;

    fn try_from(seconds: u32) -> Result<Self, String> {
        if seconds <= MAX_GRACE_PERIOD_SECONDS {
            Ok(Self(seconds))
        } else {
            Err(format!("expected at most {MAX_GRACE_PERIOD_SECONDS} seconds"))
        }
    }
}

/// An algorithm, or a family of which the usual one is meant.
#[derive(Clone, Copy, Deserialize, utoipa::ToSchema)]
pub(super) enum RequestedAlgorithm {
    /// ECDSA on P-256.
    ES256,
    /// ECDSA on P-384.
    ES384,
    /// Ed25519.
    EdDSA,
    /// RSA PKCS #1 v1.5, 2048 bits.
    RS256,
    /// The same as `ES256`.
    #[serde(rename = "EC")]
    Ec,
    /// The same as `RS256`.
    #[serde(rename = "RSA")]
    Rsa,
}

impl From<RequestedAlgorithm> for Algorithm {
    fn from(requested: RequestedAlgorithm) -> Self {
        match requested {
            RequestedAlgorithm::ES256 | RequestedAlgorithm::Ec => Self::ES256,
            RequestedAlgorithm::ES384 => Self::ES384,
            RequestedAlgorithm::EdDSA => Self::EdDSA,
            RequestedAlgorithm::RS256 | RequestedAlgorithm::Rsa => Self::RS256,
        }
    }
}

/// Publishes the next signing key of an algorithm. Access tokens stay with `tokens.signing_algorithm`, id tokens with the
/// algorithm of their application. The key signs once clients had time to fetch it (`rotationGracePeriod`, or
/// `tokens.key_publish_delay`); those before it of the same algorithm stay until the last token they
/// signed has expired.
#[utoipa::path(
    post, path = "/api/configs/oidc/{keyType}/rotate", tag = "Configs", summary = "Rotate the signing key",
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
    let algorithm = body.signing_key_algorithm.map_or(Algorithm::from(app.config.tokens.signing_algorithm), Into::into);
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
