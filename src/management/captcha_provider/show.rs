//! `GET /api/captcha-provider`.

use super::view::{CaptchaProviderView, none};
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_services::captcha;
use claimsmith_storage::sign_in::captcha as stored;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::management::Management;

/// Shows the captcha provider.
#[utoipa::path(
    get, path = "/api/captcha-provider", tag = "Captcha provider", summary = "Show the captcha provider",
    responses(
        (status = 200, description = "The provider", body = CaptchaProviderView),
        AccessRefused,
        (status = 404, description = "There is none", body = ApiErrorBody),
        (status = 422, description = "What is stored cannot be read; it can be replaced", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_captcha_provider(
    management: Management<ConfigsRead>,
) -> Result<Json<CaptchaProviderView>, ApiError> {
    let provider = stored::find(&mut management.read().await?).await?.ok_or_else(none)?;
    let config = captcha::decrypt(&management.app.cipher, &provider).map_err(|error| {
        tracing::warn!(%error, "the captcha provider cannot be read");
        ApiError::unreadable("captcha provider")
    })?;
    Ok(Json(CaptchaProviderView::of(&provider, config)))
}
