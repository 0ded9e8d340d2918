//! Bodies of `/api/logs`.

use crate::tenant::Tenant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An entry of the audit log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "l3o8g1z6x9c4v7b2n5m0k", "key": "Management.User.Create",
    "payload": {
        "key": "Management.User.Create", "result": "Success", "ip": "203.0.113.7",
        "applicationId": "b5n8q1w4z7k0x3c6t9r2m", "userId": "q3v8k1znw2pd"
    },
    "createdAt": 1_760_000_000_000_i64
}))]
pub struct LogView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: String,
    /// What happened, such as `ExchangeTokenBy.TokenExchange`.
    pub key: String,
    /// `{key, result, error?, ip?, userAgent?, userId?, applicationId?, …}`.
    #[schema(value_type = Object)]
    pub payload: Value,
    /// Unix milliseconds.
    pub created_at: i64,
}

impl LogView {
    /// An entry.
    pub fn new(id: impl Into<String>, key: impl Into<String>, payload: Value, created_at: i64) -> Self {
        Self { tenant_id: Tenant, id: id.into(), key: key.into(), payload, created_at }
    }
}
