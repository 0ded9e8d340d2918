//! `DELETE /api/captcha-provider`.

use super::view::none;
use crate::refusals::AccessRefused;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::Everything;
use claimsmith_storage::sign_in::captcha;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Deletes the captcha provider and disables captcha: `captchaPolicy.enabled` becomes false.
#[utoipa::path(
    delete, path = "/api/captcha-provider", tag = "Captcha provider", summary = "Delete the captcha provider",
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "There is none", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_captcha_provider(management: Management<Everything>) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let mut settings = EXPERIENCE.lock(&mut tx).await?;
    if !captcha::delete(&mut tx).await? {
        return Err(none());
    }
    if settings.captcha_policy.enabled == Some(true) {
        settings.captcha_policy.enabled = Some(false);
        EXPERIENCE.put(&mut tx, &settings).await?;
    }
    tx.audit(AuditKey::ManagementCaptchaProviderDelete, json!({})).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
