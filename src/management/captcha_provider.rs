//! `/api/captcha-provider`: the captcha provider and its configuration.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::captcha_provider::{CaptchaProviderView, PutCaptchaProvider};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::captcha::CaptchaConfig;
use claimsmith_domain::management::{ConfigsRead, Everything};
use claimsmith_services::app::App;
use claimsmith_services::captcha;
use claimsmith_storage::sign_in::captcha as stored;
use claimsmith_storage::sign_in::captcha::CaptchaProvider;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(
        self::show_captcha_provider,
        self::put_captcha_provider,
        self::delete_captcha_provider
    ))
}

/// Shows the captcha provider.
#[utoipa::path(
    get, path = "/api/captcha-provider", tag = "Captcha provider",
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
    Ok(Json(view(&provider, config)))
}

/// Says who asks whether somebody is a person.
///
/// People are asked once `captchaPolicy.enabled` of the settings of sign-in says so.
#[utoipa::path(
    put, path = "/api/captcha-provider", tag = "Captcha provider",
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
    Ok(Json(view(&provider, config)))
}

/// Deletes the captcha provider and disables captcha: `captchaPolicy.enabled` becomes false.
#[utoipa::path(
    delete, path = "/api/captcha-provider", tag = "Captcha provider",
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "There is none", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_captcha_provider(management: Management<Everything>) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let mut settings = EXPERIENCE.lock(&mut tx).await?;
    if !stored::delete(&mut tx).await? {
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

/// How the provider is shown. Its secret is hidden.
fn view(provider: &CaptchaProvider, config: CaptchaConfig) -> CaptchaProviderView {
    CaptchaProviderView {
        tenant_id: Tenant,
        id: "default".to_owned(),
        config: config.hidden(),
        created_at: provider.created_at,
        updated_at: provider.updated_at,
    }
}

/// 404: no provider is configured.
fn none() -> ApiError {
    ApiError::new(ApiCode::EntityNotFound, "There is no captcha provider.")
}
