//! Bodies of `/api/captcha-provider`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::captcha::CaptchaConfig;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The captcha provider.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "default", "config": { "type": "ProofOfWork", "difficulty": 17 },
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64
}))]
pub struct CaptchaProviderView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// Always `default`.
    pub id: String,
    /// With `********` in the place of the secret.
    pub config: CaptchaConfig,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// Who is to ask.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "config": { "type": "ProofOfWork", "difficulty": 17 } }))]
pub struct PutCaptchaProvider {
    /// Takes the place of the whole configuration.
    pub config: CaptchaConfig,
}
