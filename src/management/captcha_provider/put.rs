//! `PUT /api/captcha-provider`.

use super::view::CaptchaProviderView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::captcha::CaptchaConfig;
use claimsmith_domain::management::Everything;
use claimsmith_services::captcha;
use claimsmith_storage::sign_in::captcha as stored;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Who is to ask.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "config": { "type": "ProofOfWork", "difficulty": 17 } }))]
pub(super) struct PutCaptchaProvider {
    /// Takes the place of the whole configuration.
    config: CaptchaConfig,
}

/// Says who asks whether somebody is a person. People are asked once `captchaPolicy.enabled` of the settings of sign-in
/// says so.
#[utoipa::path(
    put, path = "/api/captcha-provider", tag = "Captcha provider", summary = "Set the captcha provider",
    request_body = PutCaptchaProvider,
    responses(
        (status = 200, description = "The provider", body = CaptchaProviderView),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn put_captcha_provider(
    management: Management<Everything>,
    JsonBody(body): JsonBody<PutCaptchaProvider>,
) -> Result<Json<CaptchaProviderView>, ApiError> {
    let cipher = &management.app.cipher;
    let mut tx = management.begin().await?;
    // Serializes changes, so that each is based on the one before.
    EXPERIENCE.lock(&mut tx).await?;
    // An unreadable configuration can be replaced if the secret is given again.
    let before = stored::find(&mut tx).await?.and_then(|provider| captcha::decrypt(cipher, &provider).ok());
    let config = body.config.completed(before.as_ref()).ok_or_else(|| {
        ApiError::invalid_input("body", "Error in key path \"config.secretKey\": there is no secret that could be kept")
    })?;
    let now = tx.now();
    let provider = stored::put(&mut tx, &captcha::encrypt(cipher, &config)?, now).await?;
    tx.audit(AuditKey::ManagementCaptchaProviderUpdate, json!({ "type": config.kind() })).await?;
    tx.commit().await?;
    Ok(Json(CaptchaProviderView::of(&provider, config)))
}
