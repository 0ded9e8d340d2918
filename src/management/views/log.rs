//! How entries of the audit log are shown.

use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::audit::StoredAuditEntry;
use serde::Serialize;
use serde_json::Value;

/// An entry of the audit log.
#[derive(Serialize, utoipa::ToSchema)]
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
    tenant_id: &'static str,
    id: String,
    /// What happened, such as `ExchangeTokenBy.TokenExchange`.
    key: String,
    /// `{key, result, error?, ip?, userAgent?, userId?, applicationId?, …}`.
    #[schema(value_type = Object)]
    payload: Value,
    /// Unix milliseconds.
    created_at: i64,
}

impl LogView {
    /// An entry that is composed from other data.
    pub(crate) fn new(id: String, key: String, payload: Value, created_at: i64) -> Self {
        Self { tenant_id: TENANT, id, key, payload, created_at }
    }
}

impl From<StoredAuditEntry> for LogView {
    fn from(log: StoredAuditEntry) -> Self {
        Self::new(log.id, log.key, log.payload.0, log.created_at)
    }
}
