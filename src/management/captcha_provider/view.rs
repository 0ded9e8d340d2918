//! How the provider is shown. Its secret is hidden.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::captcha::CaptchaConfig;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::sign_in::captcha::CaptchaProvider;
use claimsmith_web::error::ApiError;
use serde::Serialize;

/// The captcha provider.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "default", "config": { "type": "ProofOfWork", "difficulty": 17 },
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64
}))]
pub(super) struct CaptchaProviderView {
    /// Always `default`.
    tenant_id: &'static str,
    /// Always `default`.
    id: &'static str,
    /// With `********` in the place of the secret.
    config: CaptchaConfig,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    updated_at: i64,
}

impl CaptchaProviderView {
    pub(super) fn of(provider: &CaptchaProvider, config: CaptchaConfig) -> Self {
        Self {
            tenant_id: TENANT,
            id: "default",
            config: config.hidden(),
            created_at: provider.created_at,
            updated_at: provider.updated_at,
        }
    }
}

/// 404: no provider is configured.
pub(super) fn none() -> ApiError {
    ApiError::new(ApiCode::EntityNotFound, "There is no captcha provider.")
}
